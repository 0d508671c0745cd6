/**
 * Forms of questions that only name something, in the languages of `FUNCTION_WORDS` and a few more. A form
 * matches only where its parts are names in the Safe, so one form can serve several languages.
 */

/**
 * A question with two names. Matching takes linear time: each expression is searched for once and its first
 * match is used.
 */
export interface PairForm {
  /** The text before the first name. */
  before: RegExp
  /** The text between the names, including blanks. */
  between: RegExp
  /** The text after the second name. */
  behind?: RegExp
}

/** The two names of a question in this form, or null. */
export function namesIn(
  { before, between, behind = /$/u }: PairForm,
  question: string,
): [string, string] | null {
  const start = before.exec(question)
  if (!start) return null
  const rest = question.slice(start.index + start[0].length)
  const gap = findInside(between, rest)
  if (!gap) return null
  const last = rest.slice(gap.index + gap.length)
  const end = findInside(behind, last)
  return end && [rest.slice(0, gap.index), last.slice(0, end.index)]
}

/** The first match of the expression after at least one character. */
function findInside(expression: RegExp, text: string): { index: number; length: number } | null {
  const [first = ''] = text
  const found = first && expression.exec(text.slice(first.length))
  return found ? { index: first.length + found.index, length: found[0].length } : null
}

/**
 * "And", including blanks. A word of letters needs one on each side, because otherwise any name could begin
 * with it.
 */
const AND =
  '(?: (?:and|und|y|et|e|ed|en|och|og|ja|és|și|i|и|і|й|та|και|ve|ile|dan|va|a|with|mit|con|avec|com|met|med|с|з) | (?:和|与|と|와|과|و) ?)'

/** "Between", before two names. */
const AMID =
  '(?:between|zwischen|entre|tra|fra|tussen|mellan|mellem|mellom|között|între|між|между|между|између|између|między|mezi|antara|μεταξύ|بين|בין)'

/** Questions for the connection of two names, `from` first. */
export const PATH_FORMS: readonly PairForm[] = [
  { before: new RegExp(`(?:^|\\s)${AMID} `, 'iu'), between: new RegExp(AND, 'iu') },
  {
    before: /(?:^|\s)(?:from|von|desde|от|від|од|od|van|från|fra|dari|από) /iu,
    between: / (?:to|nach|zu|bis|hasta|до|do|naar|till|til|ke|έως) /iu,
  },
  { before: /^how (?:is|are|was|were) /iu, between: / (?:related|connected|linked) (?:to|with) /iu },
  {
    before: /^how (?:are|were) /iu,
    between: / and /iu,
    behind: / (?:related|connected|linked)(?: (?:to|with) each other)?$/iu,
  },
  { before: /^wie h[äa]ng(?:en|t) /iu, between: / (?:und|mit) /iu, behind: / zusammen$/iu },
  {
    before: /^wie (?:ist|sind|war|waren) /iu,
    between: / (?:und|mit) /iu,
    behind: / (?:verbunden|verwandt)$/iu,
  },
  { before: /^was verbindet /iu, between: / (?:und|mit) /iu },
  { before: /^was (?:hat|haben) /iu, between: / (?:und|mit) /iu, behind: / (?:zu tun|gemeinsam)$/iu },
  { before: /^in welcher beziehung steh(?:en|t) /iu, between: / (?:und|zu) /iu },
  {
    before:
      /^c[oó]mo (?:est[áa]n?|se) (?:relacionad[oa]s?|conectad[oa]s?|vinculad[oa]s?|relacionan?|conectan?) /iu,
    between: / (?:y|e|con) /iu,
  },
  { before: /^qu[eé] (?:une a|tienen? que ver) /iu, between: / (?:y|con) /iu },
  { before: /^comment (?:est|sont) (?:reliée?s?|liée?s?|connectée?s?) /iu, between: / (?:et|à|avec) /iu },
  {
    before: /^comment /iu,
    between: / et /iu,
    behind: / sont[- ](?:ils |elles |-ils |-elles )?(?:reliée?s|liée?s|connectée?s)$/iu,
  },
  { before: /^qu['\u2019]est[- ]ce qui (?:relie|lie|unit) /iu, between: / (?:et|à|avec) /iu },
  {
    before: /^(?:come|in che modo) (?:sono|è) (?:collegat|legat|conness|relazionat)[aeio] /iu,
    between: / (?:e|ed|a|con) /iu,
  },
  { before: /^(?:che )?cosa (?:lega|unisce) /iu, between: / (?:e|ed|a|con) /iu },
  {
    before:
      /^como (?:estão|está|são|é|se) (?:relacionad[ao]s?|ligad[ao]s?|conectad[ao]s?|relacionam?|ligam?) /iu,
    between: / (?:e|com|a) /iu,
  },
  {
    before: /^hoe (?:hangen|zijn|hangt|is) /iu,
    between: / (?:en|met) /iu,
    behind: / (?:samen|verbonden|verwant)$/iu,
  },
  { before: /^hur hänger /iu, between: / (?:och|ihop med) /iu, behind: /(?: ihop| samman)?$/iu },
  { before: /^hvordan h[æe]nger /iu, between: / (?:og|sammen med) /iu, behind: /(?: sammen)?$/iu },
  { before: /^как (?:связан[аоы]?|соединен[аоы]?) /iu, between: / (?:и|с|со) /iu },
  { before: /^что (?:связывает|объединяет) /iu, between: / (?:и|с) /iu },
  { before: /^як пов['\u2019]язан[аоі]? /iu, between: / (?:і|й|та|з|із) /iu },
  { before: /^co łączy /iu, between: / (?:i|z|ze) /iu },
  { before: /^/u, between: / (?:ile|ve) /iu, behind: / (?:arasında|arasındaki)(?: |$)/iu },
  {
    before: /^/u,
    between: /(?:和|与|與|跟)/u,
    behind: /(?:之间|之間)?(?:有什么|有什麼|是什么|是什麼|的)?(?:关系|關係|联系|聯繫)(?:是什么|是什麼)?$/u,
  },
  {
    before: /^/u,
    between: /と/u,
    behind: /(?:の|は|には)?(?:どのような|どういう|どんな)?(?:関係|つながり)(?:は|です|が|$)/u,
  },
]

const DIFFERENCE =
  '(?:differences?|unterschiede?|diferencias?|différences?|differenz[ae]|diferenças?|verschil(?:len)?|skillnad(?:en|er)?|forskel(?:len|le)?|forskjell(?:en|er)?|разниц[ауы]|різниц[яю]|różnic[aey])'
const COMPARE =
  '(?:compare|vergleiche?|compara|comparez|comparer|confronta|vergelijk|jämför|sammenlign|сравни(?:те)?|порівняй(?:те)?|porównaj)'

/** Questions for the difference of two names. */
export const DIFFERENCE_FORM: PairForm = {
  before: new RegExp(`(?:^|\\s)${DIFFERENCE} ${AMID} `, 'iu'),
  between: new RegExp(AND, 'iu'),
}

/** Two names and nothing else. */
export const PAIR_FORM: PairForm = {
  before: new RegExp(`^(?:${COMPARE} )?`, 'iu'),
  between: new RegExp(`(?:${AND}| (?:to|vs\\.?|versus) )`, 'iu'),
}

/** Questions about a single name. */
export const ABOUT_FORMS: readonly RegExp[] = [
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

/** Questions for all entities of a type. */
export const TYPE_FORMS: readonly RegExp[] = [
  /^(?:list|show|name) (?:me )?(?:all )?(?:of )?(?:the )?(.+?)$/iu,
  /^(?:which|what) (.+?) (?:(?:are|is)(?: there| known)?|do you have|exist)$/iu,
  /^how many (.+?) (?:are|is)(?: there)?$/iu,
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
export const ARTICLE =
  /^(?:the|an?|der|die|das|den|dem|ein|eine|einen|einem|einer|el|la|los|las|una?|le|les|l['\u2019]|une|il|lo|gli|i|o|os|as|uma?|de|het|een|en|ett|et|az?|ο|η|το|οι|ال)(?: |(?<=['\u2019])|(?<=ال))/iu
