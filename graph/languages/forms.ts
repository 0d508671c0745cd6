/**
 * What questions look like that only name something, in the languages of `functionWords` and a few more. A form counts only
 * where its parts are names of the Safe, so that one form can serve several languages. Anchored and lazy, for questions
 * of a few hundred characters.
 */

const and =
  '(?:and|und|y|et|e|ed|en|och|og|ja|és|și|i|и|і|й|та|και|ve|ile|dan|va|a|和|与|と|와|과|و(?: )?|with|mit|con|avec|com|met|med|с|з)'

/** "Between X and Y". */
const between =
  '(?:between|zwischen|entre|tra|fra|tussen|mellan|mellem|mellom|között|între|між|между|между|између|između|między|mezi|antara|μεταξύ|بين|בין)'

/** Two names of which a question asks for the connection, `from` first. */
export const pathForms: readonly RegExp[] = [
  new RegExp(`(?:^|\\s)${between} (.+?) ${and} ?(.+?)$`, 'iu'),
  /(?:^|\s)(?:from|von|desde|от|від|од|od|van|från|fra|dari|από) (.+?) (?:to|nach|zu|bis|hasta|до|do|naar|till|til|ke|έως) (.+?)$/iu,
  /^how (?:is|are|was|were) (.+?) (?:related|connected|linked) (?:to|with) (.+?)$/iu,
  /^how (?:are|were) (.+?) and (.+?) (?:related|connected|linked)(?: (?:to|with) each other)?$/iu,
  /^wie h[äa]ng(?:en|t) (.+?) (?:und|mit) (.+?) zusammen$/iu,
  /^wie (?:ist|sind|war|waren) (.+?) (?:und|mit) (.+?) (?:verbunden|verwandt)$/iu,
  /^was verbindet (.+?) (?:und|mit) (.+?)$/iu,
  /^was (?:hat|haben) (.+?) (?:und|mit) (.+?) (?:zu tun|gemeinsam)$/iu,
  /^in welcher beziehung steh(?:en|t) (.+?) (?:und|zu) (.+?)$/iu,
  /^c[oó]mo (?:est[áa]n?|se) (?:relacionad[oa]s?|conectad[oa]s?|vinculad[oa]s?|relacionan?|conectan?) (.+?) (?:y|e|con) (.+?)$/iu,
  /^qu[eé] (?:une a|tienen? que ver) (.+?) (?:y|con) (.+?)$/iu,
  /^comment (?:est|sont) (?:reliée?s?|liée?s?|connectée?s?) (.+?) (?:et|à|avec) (.+?)$/iu,
  /^comment (.+?) et (.+?) sont[- ](?:ils |elles |-ils |-elles )?(?:reliée?s|liée?s|connectée?s)$/iu,
  /^qu['\u2019]est[- ]ce qui (?:relie|lie|unit) (.+?) (?:et|à|avec) (.+?)$/iu,
  /^(?:come|in che modo) (?:sono|è) (?:collegat|legat|conness|relazionat)[aeio] (.+?) (?:e|ed|a|con) (.+?)$/iu,
  /^(?:che )?cosa (?:lega|unisce) (.+?) (?:e|ed|a|con) (.+?)$/iu,
  /^como (?:estão|está|são|é|se) (?:relacionad[ao]s?|ligad[ao]s?|conectad[ao]s?|relacionam?|ligam?) (.+?) (?:e|com|a) (.+?)$/iu,
  /^hoe (?:hangen|zijn|hangt|is) (.+?) (?:en|met) (.+?) (?:samen|verbonden|verwant)$/iu,
  /^hur hänger (.+?) (?:och|ihop med) (.+?)(?: ihop| samman)?$/iu,
  /^hvordan h[æe]nger (.+?) (?:og|sammen med) (.+?)(?: sammen)?$/iu,
  /^как (?:связан[аоы]?|соединен[аоы]?) (.+?) (?:и|с|со) (.+?)$/iu,
  /^что (?:связывает|объединяет) (.+?) (?:и|с) (.+?)$/iu,
  /^як пов['\u2019]язан[аоі]? (.+?) (?:і|й|та|з|із) (.+?)$/iu,
  /^co łączy (.+?) (?:i|z|ze) (.+?)$/iu,
  /^(.+?) (?:ile|ve) (.+?) (?:arasında|arasındaki)(?: .+)?$/iu,
  /^(.+?)(?:和|与|與|跟)(.+?)(?:之间|之間)?(?:有什么|有什麼|是什么|是什麼|的)?(?:关系|關係|联系|聯繫)(?:是什么|是什麼)?$/u,
  /^(.+?)と(.+?)(?:の|は|には)?(?:どのような|どういう|どんな)?(?:関係|つながり)(?:は.*|です.*|が.*)?$/u,
]

const difference =
  '(?:differences?|unterschiede?|diferencias?|différences?|differenz[ae]|diferenças?|verschil(?:len)?|skillnad(?:en|er)?|forskel(?:len|le)?|forskjell(?:en|er)?|разниц[ауы]|різниц[яю]|różnic[aey])'
const compare =
  '(?:compare|vergleiche?|compara|comparez|comparer|confronta|vergelijk|jämför|sammenlign|сравни(?:те)?|порівняй(?:те)?|porównaj)'

/** Two names of which a question asks how they differ. */
export const differenceForm = new RegExp(`(?:^|\\s)${difference} ${between} (.+?) ${and} ?(.+?)$`, 'iu')

/** Two names, and nothing else. */
export const pairForm = new RegExp(`^(?:${compare} )?(.+?) (?:${and}|to|vs\\.?|versus) ?(.+?)$`, 'iu')

/** A name that is all a question asks about. */
export const aboutForms: readonly RegExp[] = [
  /^(?:who|what)(?: (?:is|are|was|were)|['\u2019]s) (.+?)$/iu,
  /^(?:please )?tell me (?:(?:more|all|everything) )?(?:you know )?about (.+?)$/iu,
  /^what do (?:you|we|i) know about (.+?)$/iu,
  /^(?:wer|was) (?:ist|sind|war|waren) (.+?)$/iu,
  /^was (?:weißt|weisst|wissen|wisst) (?:du|sie|ihr|wir) (?:über|von) (.+?)$/iu,
  /^(?:erzähle?|sage?) mir (?:(?:etwas|alles|mehr|was) )?(?:über|von) (.+?)$/iu,
  /^(?:qui[eé]n(?:es)?|qu[eé]) (?:es|son|era|eran|fue|fueron) (.+?)$/iu,
  /^qu[eé] (?:sabes|sabemos|sabe) (?:de|sobre|acerca de) (.+?)$/iu,
  /^(?:h[áa]blame|cu[ée]ntame)(?: algo| m[áa]s| todo)? (?:de|sobre) (.+?)$/iu,
  /^qui (?:est|sont|était|étaient|fut) (.+?)$/iu,
  /^(?:qu['\u2019]est[- ]ce (?:que|qu['\u2019])(?: ?c['\u2019]est que)?|c['\u2019]est (?:qui|quoi)|c['\u2019]était qui) ?(.+?)$/iu,
  /^que (?:sais[- ]tu|sait[- ]on|savez[- ]vous) (?:de |sur |d['\u2019])(.+?)$/iu,
  /^parle[rz]?[- ]moi (?:de |d['\u2019])(.+?)$/iu,
  /^(?:chi|cosa|che cosa|cos['\u2019]|che cos['\u2019]) ?(?:è|sono|era|erano|fu) (.+?)$/iu,
  /^(?:parlami|dimmi(?: tutto)?) (?:di|su) (.+?)$/iu,
  /^(?:quem|o que|que) (?:é|são|era|eram|foi|foram) (.+?)$/iu,
  /^o que (?:você )?(?:sabe|sabes|sabemos) (?:de|sobre) (.+?)$/iu,
  /^(?:wie|wat) (?:is|zijn|was|waren) (.+?)$/iu,
  /^(?:vertel me (?:(?:iets|meer|alles) )?over|wat weet je (?:over|van)) (.+?)$/iu,
  /^(?:vem|vad|hvem|hvad|hva) (?:är|er|var) (.+?)$/iu,
  /^(?:kuka|mikä|ketkä) (?:on|oli|ovat|olivat) (.+?)$/iu,
  /^(?:kik?|mik?)(?: volt| az a)? (?:az? )?(.+?)$/iu,
  /^(?:cine|ce) (?:este|e|sunt|era|a fost) (.+?)$/iu,
  /^(?:kto|kim|co|czym)(?: to)?(?: jest| są| był[ao]?)? (.+?)$/iu,
  /^(?:kdo|co)(?: to)? (?:je|jsou|byl[ao]?|byli) (.+?)$/iu,
  /^(?:кто|что)(?: так(?:ой|ая|ое|ие)| это)(?: был[аио]?)? (.+?)$/iu,
  /^кем (?:был[аи]?|является) (.+?)$/iu,
  /^(?:расскажи(?:те)?(?: мне)?|что (?:(?:ты|вы|мы) )?(?:знаешь|знаете|знаем)) (?:про|об?) (.+?)$/iu,
  /^(?:хто|що)(?: так(?:ий|а|е|і)| це)(?: бу(?:в|ла|ло|ли))? (.+?)$/iu,
  /^(?:кой|коя|кое|кои|какво) (?:е|са|беше|бяха) (.+?)$/iu,
  /^(?:ко|шта|што|ko|tko|šta|što) (?:је|су|je|su) (.+?)$/iu,
  /^(?:ποιος|ποια|ποιο|ποιοι|τι) (?:είναι|ήταν) (.+?)$/iu,
  /^(.+?) (?:kim(?:dir)?|kimdi|nedir|neydi)$/iu,
  /^(?:siapa(?:kah)?|apa(?:kah)?)(?: itu)? (.+?)(?: itu)?$/iu,
  /^(?:من|ما|ماهو|ماهي)(?: (?:هو|هي|هم|كان|كانت))? (.+?)$/u,
  /^(?:מי|מה)(?: (?:זה|זו|הוא|היא|היה|הייתה))? (.+?)$/u,
  /^(.+?) (?:کیست|چیست|کی است|چی است)$/u,
  /^(.+?) (?:कौन|क्या) (?:है|हैं|था|थी|थे)$/u,
  /^(?:谁|誰|什么|什麼)是(.+?)$/u,
  /^(.+?)是(?:谁|誰|什么|什麼)(?:人)?$/u,
  /^(.+?)(?:とは|って|は)(?:誰|だれ|何|なに|なん)(?:ですか|でしょうか|なの|だ)?(?:か)?$/u,
  /^(.+?)(?:은|는|이|가)? ?(?:누구|무엇|뭐)(?:인가요|입니까|예요|이에요|야|지요)?$/u,
  /^(.+?)$/u,
]

/** A type of which a question asks for all entities. */
export const typeForms: readonly RegExp[] = [
  /^(?:list|show|name) (?:me )?(?:all )?(?:of )?(?:the )?(.+?)$/iu,
  /^(?:which|what) (.+?) (?:are|is) there$/iu,
  /^(?:all )?(?:the )?(.+?)$/iu,
  /^(?:liste|zeige?|nenne)(?: mir)?(?: alle)?(?: die)? (.+?)(?: auf)?$/iu,
  /^welche (.+?) gibt es$/iu,
  /^(?:lista|muestra|mu[ée]strame|enumera|mostra|elenca|mostre|liste)(?: tod[ao]s| tutt[ei])?(?: l[ao]s| [aio]s?| gli| le)? (.+?)$/iu,
  /^qu[eé] (.+?) hay$/iu,
  /^(?:liste[rz]?|montre[rz]?|énumère[rz]?)(?:[- ]moi)?(?: tous| toutes)?(?: les)? (.+?)$/iu,
  /^quel(?:le)?s (?:sont les )?(.+?)(?: y a-t-il)?$/iu,
  /^(?:toon|noem|lijst|visa|vis|lista)(?: mij| mig| meg)?(?: alle?| alla)?(?: de)? (.+?)$/iu,
  /^(?:покажи|перечисли|назови|список)(?:те)?(?: мне)?(?: все| всех)? (.+?)$/iu,
  /^(?:alle|todos los|todas las|tous les|toutes les|tutti i|tutti gli|tutte le|todos os|todas as|alla|все|усі|всі|wszystkie|tüm|semua|كل|所有)(?: die)? ?(.+?)$/iu,
]

/** Articles before a name. */
export const article =
  /^(?:the|an?|der|die|das|den|dem|ein|eine|einen|einem|einer|el|la|los|las|una?|le|les|l['\u2019]|une|il|lo|gli|i|o|os|as|uma?|de|het|een|en|ett|et|az?|ο|η|το|οι|ال)(?: |(?<=['\u2019])|(?<=ال))/iu
