/**
 * The function words of each language (articles, pronouns, prepositions, conjunctions, auxiliaries, question
 * words) by ISO 639-1 code. They are stop words and identify the language of a text. The lists are short on
 * purpose: published ones include numbers, months and words such as "estados" or "año", which questions ask
 * for.
 */
export const FUNCTION_WORDS: Readonly<Record<string, string>> = {
  en:
    'a about all also an and any are as at be been but by can could did do does for from had has have he her his how i if in ' +
    'into is it its may me more my no not of on one or our shall she should so some such than that the their them then ' +
    'there these they this those to up us was we were what when where which who whom whose why will with would you your',
  de:
    'aber als am an auch auf aus bei beim bin bis da damit dann das daß dass dein deine deinem deinen deiner dem den denn der deren ' +
    'des dessen dich die dies diese diesem diesen dieser dieses dir doch du durch ein eine einem einen einer eines er es ' +
    'etwas euch euer für gegen hab habe haben hat hatte hatten ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ' +
    'jede jedem jeden jeder jedes kann kein keine keinem keinen keiner können konnte man mein meine meinem meinen meiner mich ' +
    'mir mit muss nach nicht noch nur ob oder ohne sein seine seinem seinen seiner seit sich sie sind so soll sondern über ' +
    'um und uns unser unsere unter vom von vor war waren wann warum was weil welche welchem welchen welcher welches wem wen ' +
    'wenn wer werden wessen weshalb wie wieso wieviel wir wird wo wobei wodurch wofür woher wohin womit worauf woraus worden worin ' +
    'worüber wovon wozu wurde wurden zu zum zur zwischen',
  es:
    'a al algo ante antes aquel aquella aquello aquellos aun aunque cada como cómo con contra cual cuál cuales cuáles cualquier ' +
    'cuando cuándo cuanta cuánta cuántas cuanto cuánto cuántos de del desde donde dónde durante e el él ella ellas ellos en ' +
    'entre era eran es esa esas ese eso esos esta está estaba estaban están estas este esto estos fue fueron ha había habían han ' +
    'hasta hay la las le les lo los más me mi mis mucho muy nada ni no nos nosotros nuestra nuestro o os otra otras otro ' +
    'otros para pero poco por porque pues que qué quien quién quienes quiénes se sea según ser si sí sido sin sino so sobre ' +
    'son su sus también tan tanto te tenía tiene tienen toda todas todo todos tu tus u un una unas uno unos usted vosotros y ya yo',
  fr:
    'a à afin ai ainsi alors après as au aucun aucune aussi autre autres aux avaient avait avant avec avez avoir avons c car ce ' +
    'ceci cela celle celles celui ces cet cette ceux chaque chez combien comme comment d dans de depuis des donc dont du elle ' +
    'elles en encore entre es est et étaient étais était étant été être eu eux fait fut hors il ils j je jusqu l la là laquelle le ' +
    'lequel les lesquelles lesquels leur leurs lui m ma mais me même mes moi moins mon n ne ni nos notre nous on ont ou où ' +
    'par parce pas pendant peu peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se sera ses si ' +
    'son sont sous suis sur t ta te tes toi ton tous tout toute toutes très tu un une vers vos votre vous y',
  it:
    'a abbiamo ad agli ai al alla alle allo anche avere aveva avevano c che chi ci ciò come con contro cosa cui da dagli dai dal ' +
    'dall dalla dalle dallo degli dei del dell della delle dello di dopo dove due durante e è ed egli era erano essere esso fra fu ' +
    'furono gli ha hanno ho i il in io l la le lei li lo loro lui ma me mentre mi mia mie mio molto ne negli nei nel nell ' +
    'nella nelle nello noi non nostra nostro o ogni per perché però più poi prima qual quale quali quando quanta quante quanti quanto ' +
    'quella quelle quelli quello questa queste questi questo qui sarà se sei senza si sia sono sotto sta stata stati stato su sua ' +
    'sue sugli sui sul sull sulla sulle suo suoi ti tra tu tua tuo tutta tutte tutti tutto un una uno vi voi',
  pt:
    'a à ainda ao aos apenas após aquela aquele aqueles aquilo as às até cada com como contra cuja cujo da das de dela dele deles ' +
    'depois desde do dos durante e é ela elas ele eles em entre era eram essa essas esse esses esta está estão estas estava este ' +
    'estes eu foi foram for há isso isto já la lhe lhes lo mais mas me mesmo meu minha muito na não nas nem nenhum no nos nós ' +
    'nossa nosso num numa o onde os ou outra outras outro outros para pela pelas pelo pelos por porque porquê pois qual quais qualquer ' +
    'quando quanta quantas quanto quantos que quê quem são se seja sem sendo ser será seu seus si sido sob sobre sua suas também te ' +
    'tem têm tinha tinham toda todas todo todos tu tua um uma umas uns você vocês',
  ro:
    'a abia acea această aceasta aceea acei acel acela acest acesta aceste acestea acestei acestui acolo ai aici al ale alt alta alte ' +
    'alți am anume ar are așa asta astea astfel asupra atunci au avea avut ca că căci când care către ce cea ceea cei cel cele celor ' +
    'chiar ci cine cât câtă câte câți cu cui cum dacă dar de deci decât deși despre din dintre doar după e ea ei el ele era erau este ' +
    'eu face fi fie fiecare fiind fost fără îi îl îmi în încât însă într între îți la le li lor lui mai mult ne nici nimic noi nostru nu ' +
    'o ori pe pentru peste prin printre sa să sale sau său se și spre sub sunt te tot toată toate toți tu un una unde unei unele unii ' +
    'unor unui vă voi vom vor',
  nl:
    'aan af al alle als bij daar dan dat de der deze die dit doch doen door dus een en er ge geen had hadden heb hebben heeft hem ' +
    'het hier hij hoe hoeveel hun iets ik in is ja je jij kan kon kunnen maar me meer men met mij mijn moet na naar niet niets nog nu ' +
    'of om omdat onder ons onze ook op over reeds te tegen toen tot u uit uw van veel voor waar waarin waarmee waarom waarop ' +
    'waarvan wanneer want waren was wat we welk welke werd werden wie wiens wij wil worden wordt zal ze zelf zich zij zijn zo zonder ' +
    'zou zouden',
  sv:
    'alla allt än är åt att av blev bli blir då de dem den denna deras dess dessa det detta dig din dina ditt du efter ej eller en er ' +
    'ert ett för från genom ha hade han hans har henne hennes hon honom hur i icke in inga ingen inom inte jag kan kunde man med ' +
    'mellan men mig min mina mitt mot mycket när ni nu och om oss på så samma sedan sig sin sina sitt ska skulle som till under upp ' +
    'ur ut utan vad var vara varför varit varje vart vem vems vi vid vilka vilken vilket',
  da:
    'ad af alle alt anden at begge blev blive bliver da de dem den denne der deres det dette dig din disse du efter eller en end er ' +
    'et for fordi fra før få ham han hans har havde have hende hendes her hos hun hvad hvem hvilke hvilken hvilket hvis hvor hvordan ' +
    'hvorfor hvornår i ikke ind jeg jer jo kan kunne man mange med meget men mig min mod mit mine når ned nogle nogen noget nu og også ' +
    'om op os over på så selv sig sin sine sit skal skulle som til ud under var ved vi vil ville vor være været',
  no:
    'alle andre at av bare begge ble blei blir da de deg dem den denne der dere deres det dette di din disse dit du eg ein eit eller ' +
    'en enn er et ett etter for fordi fra før ha hadde han hans har henne hennes her hos hun hva hvem hvilke hvilken hvilket hvis hvor ' +
    'hvordan hvorfor når i ikke ikkje inn ingen jeg kan kunne man mange med meg mellom men min mitt mot mye ned noe noen nå og også om ' +
    'opp oss over på så seg selv si sin sine sitt skal skulle som til under ut uten var ved vi vil ville vår være vært',
  fi:
    'ei eivät eli ennen että ettei hän häne heidän heitä he ja jo joka jonka johon joissa jos jossa josta jota jotka joita kanssa ' +
    'kenen kenelle ketä ketkä koska kuin kuinka kuka kun mikä mikäli miksi millä millainen milloin minä minkä minne missä mistä mitä ' +
    'mitkä mihin montako monta mukaan mutta muun myös ne niin niiden niitä nämä näiden nyt ole olen oli olivat olla olleet ollut on ovat ' +
    'paljonko se sekä sen siellä siihen siinä siitä silloin sinä sitä tai tällä tämä tämän tässä tästä tätä te tuo vaan vai vaikka voi ' +
    'vuoksi',
  hu:
    'a abban ahhoz ahogy ahol aki akik akkor által általában amely amelyek amelyet ami amit amíg an annak arra arról az azért azok azon ' +
    'azt be bele belőle csak de e ebben egy egyéb egyes együtt el elég ellen én ennek erre ez ezek ezen ezért ezt és fel felé ha hány ' +
    'hanem hogy hogyan hol honnan hová hogyne igen így illetve is itt ki kik kit kinek le legyen lehet lenne lesz lett ma majd még meg ' +
    'melyik melyek mely mennyi mert mi miért mik mikor milyen mint mit nagyon ne nem neki nincs ő ők olyan ott össze pedig s sem saját ' +
    'se sok számára szerint tehát után úgy van vagy vagyis valamint vannak vele vissza viszont volt voltak volna',
  tr:
    'ama ancak artık aslında az bana bazı belki ben beni benim bir birçok biri birkaç biz bize bizim bu buna bunda bundan bunlar bunları ' +
    'bunların bunu bunun burada çok çünkü da daha de değil değildir diğer diye dolayı en gibi göre hangi hangisi hem henüz hepsi her hiç ' +
    'için ile ilgili ise işte kaç kadar karşı kendi kendisi ki kim kime kimi kimin kimler mi mı mu mü nasıl ne neden nedir nelerdir nerede ' +
    'nereden nereye neresi nereli niçin niye o olan olarak oldu olduğu olduğunu olmak olması olsa olup olur olmuştur olan on ona ondan onlar ' +
    'onların onu onun öyle pek rağmen sadece sen siz sonra şey şu tarafından tüm üzere üzerinde var vardır ve veya ya yani yok zaman',
  id:
    'ada adalah agar akan aku anda antara apa apakah atas atau bagaimana bagi bahwa banyak beberapa begitu belum berapa bisa bukan dalam ' +
    'dan dapat dari daripada dengan di dia dimana hanya harus ia ini itu jadi jika juga kalau kami kamu kapan karena kata ke kepada ketika ' +
    'kita lagi lain lebih maka mana masih mengapa mereka mungkin namun oleh pada para pernah pun saat saja saya sebagai sebuah secara ' +
    'sedang sejak selama seorang seperti serta siapa siapakah sudah supaya tapi telah tentang terhadap tersebut tetapi tidak untuk yaitu ' +
    'yang',
  ga:
    'a ach ag an ann ar arna as ár ba bhí bhur cá cad cé céard cén chuig conas de deir den do don dá é faoi fear gach go gur i iad idir ' +
    'in is ina inár le leis má mar mo muid na nach ná ní níl níor nó nuair ó os raibh roimh sa sé seo sí sin siad sna sula tá tar thar ' +
    'trí tú um',
  lt:
    'ant apie ar arba aš bei bet buvo būti dar dėl dėka ir iš iki į jai jais jam jau jei jie jis ji jo jos jų ją jį juo ką kaip kada kad ' +
    'kai kas kiek kiti kitas kodėl koks kokia kokie kokios kuri kuriame kurie kurio kurios kuris kurių kur kam ko labai mes nei nes ne nuo ' +
    'o pagal pas per pat po prie prieš sau savo su tačiau tai taip tame tarp ten tik to tos toks tu turi už tuo tas ta tie tų yra',
  ru:
    'а без более бы был была были было быть в вам вас весь во вот все всего всех всё вы где да даже для до его ее её ей ему если есть еще ещё ' +
    'же за здесь и из или им их к как какая какие какими каким каких какова каков какого какое какой каком какому какую когда ко кого кому ' +
    'которая которого которой котором которые который которых кто куда ли лишь между меня мне может мой мы на над надо нам нас наш не него ' +
    'нее неё ней нет ни них но ну о об однако он она они оно от откуда очень по под почему при про с сам свою своей своего своих себе себя ' +
    'сколько со так также такой там те тем то того тоже той только том тот ту ты у уже чего чей чем через что чтобы чье чья эта эти этих это ' +
    'этого этой этом этот эту я является являются',
  uk:
    'а або але без б би бо був була були було бути в вам вас весь ви від він все всі вже вона воно вони втім да де для до дуже є за завжди з ' +
    'зі зо і із її й його йому їй їм їх кожен коли кого кому котрий крім куди ким ли лише між мені мене ми мій може на над нам нас наш не ' +
    'него неї ні ніж них ну о об однак от по під поки при про проте своє своєї своїх свій свою себе скільки так такий також там та те ти тим ' +
    'то тобто того той тому тут у хто хоч це цей цього цю ця цих чи чий чия чому чого що щоб як яка яке який яких якій якого якому якою яку ' +
    'які я звідки навіщо',
  bg:
    'а без би беше бил била били било в вас ваш ви все всеки всички във вече г ги го да дали до докато дори е един една едно за защо защото и ' +
    'из или им има имат й как каква какво какви какъв като кога кого което коя които кой който колко коя която къде към ли между ме ми може ' +
    'мой много му на над най нас наш не него нещо нея ни нито но някои някой няма о обаче около от по под поради после почти пред през при с ' +
    'са само се си след със сме според сред също така такива такъв там те тези ти то това тогава този той тук тя тях у че чрез ще я',
  sr:
    'а ако али без би била били било био бити већ ви вам врло где да дакле до док за зашто зато због и из или им има испод изнад иако ја је ' +
    'једна једно један још к како каква какав какво која које којег којем који којих којим коју када као кад ко кога коме колико кроз куда ли ' +
    'ме међу ми мој моја на над нам нас наш не него ни није ниједан нису но о од ова ово овај ове ових овог око он она они оно па по под после ' +
    'пре преко при с са само се си смо сте су све свог свој своје сви та тада тај тако такође те то тог том ту у уз чији чија чије што шта ће ' +
    'ali ako bez bi bila bili bilo bio biti već vi vam vrlo gde gdje da dakle do dok za zašto zato zbog i iz ili im ima ispod iznad iako ja je ' +
    'jedna jedno jedan još k kako kakva kakav kakvo koja koje kojeg kojem koji kojih kojim koju kada kao kad ko tko koga kome koliko kroz kuda ' +
    'li me među mi moj moja na nad nam nas naš ne nego ni nije nisu no o od ova ovo ovaj ove ovih ovog oko on ona oni ono pa po pod posle pre ' +
    'preko pri s sa samo se si smo ste su sve svog svoj svoje svi ta tada taj tako takođe te to tog tom tu u uz čiji čija čije što šta će',
  el:
    'α αλλά αν αντί από αυτά αυτές αυτή αυτήν αυτό αυτοί αυτός αυτού αυτούς αυτών για γιατί δε δεν δηλαδή διότι εάν εγώ εδώ είμαι είναι είχε ' +
    'είχαν εκεί εκείνη εκείνο εκείνος εμείς ένα έναν ένας ενός ενώ επί επίσης εσείς έχει έχουν ή η ήταν θα ίσως κάθε και κατά κι μα με μέσα ' +
    'μετά μεταξύ μέχρι μη μην μία μια μιας μόνο μου να ο οι όμως όπου όπως όσο όταν ότι ου παρά πιο ποια ποιά ποιας ποιες ποιο ποιό ποιοι ' +
    'ποιον ποιος ποιός ποιου ποιους ποιων πόσα πόσες πόση πόσο πόσοι πόσους πότε που πού πριν προς πώς πως σαν σας σε στα στη στην στης στις ' +
    'στο στον στους στου σου τα την της τι τις το τόσο τον του τους των υπό ως',
  ar:
    'أن إن أو أي أين إلى إذا أيضا أنه أنها إنه أم أما ألا إلا أكثر أول أيضاً ال التي الذي الذين اللذان اللتان الى ان انه او أنا أنت نحن هم هو هي ' +
    'هن هذا هذه هذان هؤلاء هنا هناك هل ذلك تلك بعد بعض بل بها به بين بدون تم ثم جدا حتى حول حيث حين خلال دون سوف على عليه عليها علي عن عند عندما ' +
    'عنه عنها غير فإن فقط في فيه فيها فوق تحت قبل قد كان كانت كانوا كذلك كل كم كما كيف كي لا لقد لكن لم لماذا لما لن له لها لهم ليس ليست ما ماذا ' +
    'ماهي ماهو مما متى مثل مع من منذ منه منها نحو و وقد وكان وكانت ولا ولم وهو وهي ومن وفي وعلى وإلى يا يكون تكون يمكن يتم لدى لدي ضد كلا كلما أمام',
  fa:
    'از است اما آن آنها این با بر برای بود بودن بودند به بین پس تا تر ترین تو چرا چند چه چگونه چون چیست خود دارد دارند در درباره دیگر را روی شد شدن شده ' +
    'شود شما کجا کدام کرد کردن کرده کند کنند که کی کیست ما من می نیز نیست نمی ها های هر هم همه همین هستند هست و وی یا یک یکی',
  he:
    'אבל או אולי אחר אחרי אך אל אלה אלו אם אני אנחנו אף אשר את אתה אתם ב בגלל בין בלי גם דרך ה הוא היא היה היו היתה הייתה הם הן הנה זאת זה זו זהו יש ' +
    'כאשר כבר כדי כי כך כל כמה כמו ל לא לאן לה להם לו לי למה לפי לפני מ מאין מאשר מדוע מה מהו מהי מי מיהו מן מתי נגד עד על עם עוד פי רק ש של שלא שלה ' +
    'שלהם שלו שלי שם תחת איזה איזו אילו איך איפה היכן כיצד',
  hi:
    'अपना अपनी अपने अब आदि आप इन इस इसका इसकी इसके इसमें इसी इसे उन उनका उनकी उनके उन्हें उन्होंने उस उसका उसकी उसके उसे एक एवं ऐसे और कब कहाँ कहां का ' +
    'कि कितना कितनी कितने किन किस किसका किसकी किसके किसने किसे किसी की कुछ के को कौन कौनसा कौनसी क्या क्यों गई गए गया जब जहाँ जहां जा जाता जाती जाते जिन ' +
    'जिस जिसका जिसकी जिसके जिसमें जिसे जैसे जो तक तथा तब तो था थी थे दिया द्वारा नहीं ने पर परन्तु बाद भी मगर मैं में यदि यह यहाँ या ये रहा रही रहे लिए ' +
    'लेकिन वह वहाँ वाला वाली वाले वे व से सकता सकते साथ हम हर ही हुआ हुई हुए है हैं हो होता होती होते होना कैसे',
  ne:
    'अनि अब आफ्नो उनी उनले उनको उनीहरू ऊ एक एउटा एवं कति कसको कसरी कसले कसलाई कहाँ कहिले का किन की कुन के को गरी गरेको गरेका गर्न गर्ने छ छन् छैन जब ' +
    'जसको जसले जुन जो त तथा तर तिनी तिनीहरू थियो थिए देखि द्वारा न नै पछि पनि पर्छ भए भएको भएका भने भन्ने भयो म मा मात्र यदि यस यसको यसले यो र रहेको ' +
    'लाई ले लागि वा सँग सबै सम्म हामी हुन हुन् हुने हुन्छ हो',
  ta:
    'அது அதன் அந்த அவர் அவர்கள் அவள் அவன் அவை அல்லது ஆகும் ஆகிய ஆனால் இது இதன் இந்த இவர் இவை இருந்து இருந்தது உள்ள உள்ளது என என்பது என்ன என்று என்ற எது எந்த ' +
    'எங்கே எப்படி எப்போது எவ்வளவு எத்தனை ஏன் ஒரு ஓர் கொண்டு தான் நான் நாம் நீ நீங்கள் பற்றி பின் போது போன்ற மற்றும் முதல் மேலும் மிக யார் யாது வரை வேண்டும் மீது ' +
    'மூலம்',
  hy:
    'այդ այլ այն այս դու դուք ըստ եմ են ենք ես եք է էի էին էինք էիր էիք էր թե ի ին ինչ ինչու ինչպես ինչպիսի իսկ իր կա կամ համար հետ հետո մեկ մեջ մենք մի միայն ' +
    'նա նաև նրա նրանք նրանց որ որը որոնք որպես որտեղ որքան որի որն ում ու ով երբ պիտի վրա և եւ քանի',
  pl:
    'a aby ale albo ani az bardzo bez bo by był była było były być choć ci ciebie co czego czy czyj czyja czym dla do dlaczego gdy gdzie go i ich ' +
    'ile im innych inne ja jak jaka jaki jakie jakich jakim jaką jako je jego jej jemu jest jestem jeszcze jeśli już każdy kiedy kim kogo komu kto ' +
    'która które którego której który których którym którą którzy lecz lub ma mają może mi mnie mu my na nad nam nami nas nasz nawet ' +
    'nich nie nim niż o od oraz ona one oni ono po pod podczas ponieważ poza przed przez przy są się skąd sobie swoje swój ta tak także tam ' +
    'te tego tej ten też to tu ty tych tylko tym u w was we więc wszystko wy z za ze został została został zostały że',
  cs:
    'a aby ale ani asi až být bez bude by byl byla byli bylo byly co což či čí do i já jak jaká jaké jako jaký je jeho jej její jejich jemu jen ' +
    'ještě jestli ji jich jim již jsem jsi jsme jsou k kam kde kdo kdy když ke která které kterého který kteří kterou kolik koho komu ' +
    'ma mají má máte mě mezi mi mnou mu musí můj může my na nad nám náš nás ne nebo není než ni nic o od on ona oni ono odkud pak po pod podle ' +
    'pokud pro proč proto před přes při s se si sice své svůj svou ta tak také takže tam tato té tedy ten tento této těchto to toho tohoto ' +
    'tom tomu tu tuto tím ty tyto u už v ve však všechno vy z za ze že',
}
