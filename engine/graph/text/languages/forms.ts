import { lowerCase } from '../text.js'

/**
 * Forms of questions that only name something, in the languages of `FUNCTION_WORDS` and a few more. A form
 * matches only where its parts are names in the Safe, so one form can serve several languages.
 *
 * Questions are matched in lower case: expressions that ignore case take three times as long to compile and twice the
 * memory.
 */

/**
 * A question with two names: what is before the first, between them (including blanks) and after the second, where nothing
 * is unless it is given. Matching takes linear time: each expression is searched for once and its first match is used.
 */
export type PairForm = readonly [before: RegExp, between: RegExp, behind?: RegExp]

/** The two names of a question in this form, or null. `lower` is the question in lower case. */
export function namesIn(
  [before, between, behind = /$/u]: PairForm,
  question: string,
  lower = lowerCase(question),
): [string, string] | null {
  const start = before.exec(lower)
  if (!start) return null
  const one = start.index + start[0].length
  const gap = findInside(between, lower.slice(one))
  if (!gap) return null
  const other = one + gap.index + gap.length
  const end = findInside(behind, lower.slice(other))
  return end && [question.slice(one, one + gap.index), question.slice(other, other + end.index)]
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
  [new RegExp(`(?:^|\\s)${AMID} `, 'u'), new RegExp(AND, 'u')],
  [
    /(?:^|\s)(?:from|von|desde|от|від|од|od|van|från|fra|dari|από) /u,
    / (?:to|nach|zu|bis|hasta|до|do|naar|till|til|ke|έως) /u,
  ],
  [/^how (?:is|are|was|were) /u, / (?:related|connected|linked) (?:to|with) /u],
  [/^how (?:are|were) /u, / and /u, / (?:related|connected|linked)(?: (?:to|with) each other)?$/u],
  [/^wie h[äa]ng(?:en|t) /u, / (?:und|mit) /u, / zusammen$/u],
  [/^wie (?:ist|sind|war|waren) /u, / (?:und|mit) /u, / (?:verbunden|verwandt)$/u],
  [/^was verbindet /u, / (?:und|mit) /u],
  [/^was (?:hat|haben) /u, / (?:und|mit) /u, / (?:zu tun|gemeinsam)$/u],
  [/^in welcher beziehung steh(?:en|t) /u, / (?:und|zu) /u],
  [
    /^c[oó]mo (?:est[áa]n?|se) (?:relacionad[oa]s?|conectad[oa]s?|vinculad[oa]s?|relacionan?|conectan?) /u,
    / (?:y|e|con) /u,
  ],
  [/^qu[eé] (?:une a|tienen? que ver) /u, / (?:y|con) /u],
  [/^comment (?:est|sont) (?:reliée?s?|liée?s?|connectée?s?) /u, / (?:et|à|avec) /u],
  [/^comment /u, / et /u, / sont[- ](?:ils |elles |-ils |-elles )?(?:reliée?s|liée?s|connectée?s)$/u],
  [/^qu['\u2019]est[- ]ce qui (?:relie|lie|unit) /u, / (?:et|à|avec) /u],
  [/^(?:come|in che modo) (?:sono|è) (?:collegat|legat|conness|relazionat)[aeio] /u, / (?:e|ed|a|con) /u],
  [/^(?:che )?cosa (?:lega|unisce) /u, / (?:e|ed|a|con) /u],
  [
    /^como (?:estão|está|são|é|se) (?:relacionad[ao]s?|ligad[ao]s?|conectad[ao]s?|relacionam?|ligam?) /u,
    / (?:e|com|a) /u,
  ],
  [/^hoe (?:hangen|zijn|hangt|is) /u, / (?:en|met) /u, / (?:samen|verbonden|verwant)$/u],
  [/^hur hänger /u, / (?:och|ihop med) /u, /(?: ihop| samman)?$/u],
  [/^hvordan h[æe]nger /u, / (?:og|sammen med) /u, /(?: sammen)?$/u],
  [/^как (?:связан[аоы]?|соединен[аоы]?) /u, / (?:и|с|со) /u],
  [/^что (?:связывает|объединяет) /u, / (?:и|с) /u],
  [/^як пов['\u2019]язан[аоі]? /u, / (?:і|й|та|з|із) /u],
  [/^co łączy /u, / (?:i|z|ze) /u],
  [/^/u, / (?:ile|ve) /u, / (?:arasında|arasındaki)(?: |$)/u],
  [
    /^/u,
    /(?:和|与|與|跟)/u,
    /(?:之间|之間)?(?:有什么|有什麼|是什么|是什麼|的)?(?:关系|關係|联系|聯繫)(?:是什么|是什麼)?$/u,
  ],
  [/^/u, /と/u, /(?:の|は|には)?(?:どのような|どういう|どんな)?(?:関係|つながり)(?:は|です|が|$)/u],
]

const DIFFERENCE =
  '(?:differences?|unterschiede?|diferencias?|différences?|differenz[ae]|diferenças?|verschil(?:len)?|skillnad(?:en|er)?|forskel(?:len|le)?|forskjell(?:en|er)?|разниц[ауы]|різниц[яю]|różnic[aey])'
const COMPARE =
  '(?:compare|vergleiche?|compara|comparez|comparer|confronta|vergelijk|jämför|sammenlign|сравни(?:те)?|порівняй(?:те)?|porównaj)'

/** Questions for the difference of two names. */
export const DIFFERENCE_FORM: PairForm = [
  new RegExp(`(?:^|\\s)${DIFFERENCE} ${AMID} `, 'u'),
  new RegExp(AND, 'u'),
]

/** Two names and nothing else. */
export const PAIR_FORM: PairForm = [
  new RegExp(`^(?:${COMPARE} )?`, 'u'),
  new RegExp(`(?:${AND}| (?:to|vs\\.?|versus) )`, 'u'),
]

/** The name in a question in this form of `ABOUT_FORMS`, or an empty string. `lower` is the question in lower case. */
export function nameAbout(form: RegExp, question: string, lower: string): string {
  const place = form.exec(lower)?.indices?.[1]
  return place ? question.slice(...place) : ''
}

/** Questions about a single name. */
export const ABOUT_FORMS: readonly RegExp[] = [
  /^(?:who|what)(?: (?:is|are|was|were)|['\u2019]s) (.+?)$/du,
  /^(?:please )?tell me (?:(?:more|all|everything) )?(?:you know )?about (.+?)$/du,
  /^what do (?:you|we|i) know about (.+?)$/du,
  /^(?:wer|was) (?:ist|sind|war|waren) (.+?)$/du,
  /^was (?:weißt|weisst|wissen|wisst) (?:du|sie|ihr|wir) (?:über|von) (.+?)$/du,
  /^(?:erzähle?|sage?) mir (?:(?:etwas|alles|mehr|was) )?(?:über|von) (.+?)$/du,
  /^(?:qui[eé]n(?:es)?|qu[eé]) (?:es|son|era|eran|fue|fueron) (.+?)$/du,
  /^qu[eé] (?:sabes|sabemos|sabe) (?:de|sobre|acerca de) (.+?)$/du,
  /^(?:h[áa]blame|cu[ée]ntame)(?: algo| m[áa]s| todo)? (?:de|sobre) (.+?)$/du,
  /^qui (?:est|sont|était|étaient|fut) (.+?)$/du,
  /^(?:qu['\u2019]est[- ]ce (?:que|qu['\u2019])(?: ?c['\u2019]est que)?|c['\u2019]est (?:qui|quoi)|c['\u2019]était qui) ?(.+?)$/du,
  /^que (?:sais[- ]tu|sait[- ]on|savez[- ]vous) (?:de |sur |d['\u2019])(.+?)$/du,
  /^parle[rz]?[- ]moi (?:de |d['\u2019])(.+?)$/du,
  /^(?:chi|cosa|che cosa|cos['\u2019]|che cos['\u2019]) ?(?:è|sono|era|erano|fu) (.+?)$/du,
  /^(?:parlami|dimmi(?: tutto)?) (?:di|su) (.+?)$/du,
  /^(?:quem|o que|que) (?:é|são|era|eram|foi|foram) (.+?)$/du,
  /^o que (?:você )?(?:sabe|sabes|sabemos) (?:de|sobre) (.+?)$/du,
  /^(?:wie|wat) (?:is|zijn|was|waren) (.+?)$/du,
  /^(?:vertel me (?:(?:iets|meer|alles) )?over|wat weet je (?:over|van)) (.+?)$/du,
  /^(?:vem|vad|hvem|hvad|hva) (?:är|er|var) (.+?)$/du,
  /^(?:kuka|mikä|ketkä) (?:on|oli|ovat|olivat) (.+?)$/du,
  /^(?:kik?|mik?)(?: volt| az a)? (?:az? )?(.+?)$/du,
  /^(?:cine|ce) (?:este|e|sunt|era|a fost) (.+?)$/du,
  /^(?:kto|kim|co|czym)(?: to)?(?: jest| są| był[ao]?)? (.+?)$/du,
  /^(?:kdo|co)(?: to)? (?:je|jsou|byl[ao]?|byli) (.+?)$/du,
  /^(?:кто|что)(?: так(?:ой|ая|ое|ие)| это)(?: был[аио]?)? (.+?)$/du,
  /^кем (?:был[аи]?|является) (.+?)$/du,
  /^(?:расскажи(?:те)?(?: мне)?|что (?:(?:ты|вы|мы) )?(?:знаешь|знаете|знаем)) (?:про|об?) (.+?)$/du,
  /^(?:хто|що)(?: так(?:ий|а|е|і)| це)(?: бу(?:в|ла|ло|ли))? (.+?)$/du,
  /^(?:кой|коя|кое|кои|какво) (?:е|са|беше|бяха) (.+?)$/du,
  /^(?:ко|шта|што|ko|tko|šta|što) (?:је|су|je|su) (.+?)$/du,
  /^(?:ποιος|ποια|ποιο|ποιοι|τι) (?:είναι|ήταν) (.+?)$/du,
  /^(.+?) (?:kim(?:dir)?|kimdi|nedir|neydi)$/du,
  /^(?:siapa(?:kah)?|apa(?:kah)?)(?: itu)? (.+?)(?: itu)?$/du,
  /^(?:من|ما|ماهو|ماهي)(?: (?:هو|هي|هم|كان|كانت))? (.+?)$/du,
  /^(?:מי|מה)(?: (?:זה|זו|הוא|היא|היה|הייתה))? (.+?)$/du,
  /^(.+?) (?:کیست|چیست|کی است|چی است)$/du,
  /^(.+?) (?:कौन|क्या) (?:है|हैं|था|थी|थे)$/du,
  /^(?:谁|誰|什么|什麼)是(.+?)$/du,
  /^(.+?)是(?:谁|誰|什么|什麼)(?:人)?$/du,
  /^(.+?)(?:とは|って|は)(?:誰|だれ|何|なに|なん)(?:ですか|でしょうか|なの|だ)?(?:か)?$/du,
  /^(.+?)(?:은|는|이|가)? ?(?:누구|무엇|뭐)(?:인가요|입니까|예요|이에요|야|지요)?$/du,
  /^(.+?)$/du,
]

/** Questions for all entities of a type. */
export const TYPE_FORMS: readonly RegExp[] = [
  /^(?:list|show|name) (?:me )?(?:all )?(?:of )?(?:the )?(.+?)$/u,
  /^(?:which|what) (.+?) (?:(?:are|is)(?: there| known)?|do you have|exist)$/u,
  /^how many (.+?) (?:are|is)(?: there)?$/u,
  /^(?:all )?(?:the )?(.+?)$/u,
  /^(?:liste|zeige?|nenne)(?: mir)?(?: alle)?(?: die)? (.+?)(?: auf)?$/u,
  /^welche (.+?) gibt es$/u,
  /^(?:lista|muestra|mu[ée]strame|enumera|mostra|elenca|mostre|liste)(?: tod[ao]s| tutt[ei])?(?: l[ao]s| [aio]s?| gli| le)? (.+?)$/u,
  /^qu[eé] (.+?) hay$/u,
  /^(?:liste[rz]?|montre[rz]?|énumère[rz]?)(?:[- ]moi)?(?: tous| toutes)?(?: les)? (.+?)$/u,
  /^quel(?:le)?s (?:sont les )?(.+?)(?: y a-t-il)?$/u,
  /^(?:toon|noem|lijst|visa|vis|lista)(?: mij| mig| meg)?(?: alle?| alla)?(?: de)? (.+?)$/u,
  /^(?:покажи|перечисли|назови|список)(?:те)?(?: мне)?(?: все| всех)? (.+?)$/u,
  /^(?:alle|todos los|todas las|tous les|toutes les|tutti i|tutti gli|tutte le|todos os|todas as|alla|все|усі|всі|wszystkie|tüm|semua|كل|所有)(?: die)? ?(.+?)$/u,
]

/** The text without an article at its beginning. */
export const withoutArticle = (text: string): string =>
  text.slice(ARTICLE.exec(lowerCase(text))?.[0].length ?? 0)

/** Articles before a name. */
export const ARTICLE =
  /^(?:the|an?|der|die|das|den|dem|ein|eine|einen|einem|einer|el|la|los|las|una?|le|les|l['\u2019]|une|il|lo|gli|i|o|os|as|uma?|de|het|een|en|ett|et|az?|ο|η|το|οι|ال)(?: |(?<=['\u2019])|(?<=ال))/u
