/**
 * Polite phrases before a question ("could you please tell me …") and after it ("… please"), which do not
 * describe what it asks for. Anchored, without nested repetition, and matched on the first characters only.
 */

const please =
  "(?:,? (?:please|kindly|just|maybe|bitte|por favor|s['\u2019]il (?:te|vous) pla[iî]t|svp|per favore|alsjeblieft|alstublieft|пожалуйста))?"
const greeting =
  '[ \u00a1\u00bf]{0,3}(?:(?:hi|hello|hey|hallo|hola|bonjour|salut|ciao|ol[aá]|привет|здравствуйте|merhaba)(?: there)?[,!.]{0,3} )?'

/** How a request begins. */
export const openings: readonly RegExp[] = [
  new RegExp(
    `^${greeting}(?:(?:please,? )?(?:(?:could|can|would|will) you${please} )?(?:tell|show|give|remind|explain(?: to)?|inform) (?:me|us))${please}(?=[ ,:])`,
    'iu',
  ),
  new RegExp(
    `^${greeting}(?:(?:could|can|would|will) you${please} (?:tell|show|explain|describe|remind))${please}(?=[ ,:])`,
    'iu',
  ),
  new RegExp(`^${greeting}(?:please,? (?:tell|explain|describe|show))${please}(?=[ ,:])`, 'iu'),
  new RegExp(
    `^${greeting}(?:(?:could|can|would|will) you${please} let (?:me|us) know)${please}(?=[ ,:])`,
    'iu',
  ),
  new RegExp(
    `^${greeting}(?:i(?: would|['\u2019]d)? (?:like|love|want|need) to (?:know|find out|understand|learn))${please}(?=[ ,:])`,
    'iu',
  ),
  new RegExp(`^${greeting}(?:i(?: am|['\u2019]m| was) (?:just )?wondering)${please}(?=[ ,:])`, 'iu'),
  new RegExp(
    `^${greeting}(?:(?:do|would) you (?:happen to )?know|does any(?:one|body) know|any idea)${please}(?=[ ,:])`,
    'iu',
  ),
  new RegExp(
    `^${greeting}(?:(?:könntest|kannst|würdest) du(?: mir| uns)?${please} (?:sagen|erklären|zeigen|erzählen|verraten))${please}(?=[ ,:])`,
    'iu',
  ),
  new RegExp(
    `^${greeting}(?:(?:könnten|können|würden) sie(?: mir| uns)?${please} (?:sagen|erklären|zeigen|erzählen|verraten))${please}(?=[ ,:])`,
    'iu',
  ),
  new RegExp(
    `^${greeting}(?:(?:sage?|erkläre?|zeige?|erzähle?) (?:mir|uns)${please}|(?:sagen|erklären|zeigen|erzählen) sie (?:mir|uns)${please})${please}(?=[ ,:])`,
    'iu',
  ),
  new RegExp(
    `^${greeting}(?:ich (?:möchte|will|würde)(?: gerne?)? wissen|wei(?:ß|ss)t du|wissen sie)${please}(?=[ ,:])`,
    'iu',
  ),
  new RegExp(
    `^${greeting}(?:(?:podrías|puedes|podría|puede)${please} (?:decirme|explicarme|mostrarme|contarme))${please}(?=[ ,:])`,
    'iu',
  ),
  new RegExp(
    `^${greeting}(?:(?:dime|dígame|cuéntame|explícame|muéstrame)${please}|(?:me gustaría|quiero|quisiera) saber)${please}(?=[ ,:])`,
    'iu',
  ),
  new RegExp(
    `^${greeting}(?:(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous)${please} (?:me |nous |m['\u2019])?(?:dire|expliquer|montrer))${please}(?=[ ,:])`,
    'iu',
  ),
  new RegExp(
    `^${greeting}(?:(?:dis|dites|expliquez?|montrez?)-(?:moi|nous)${please}|(?:je (?:voudrais|veux)|j['\u2019]aimerais) savoir|sais-tu|savez-vous)${please}(?=[ ,:])`,
    'iu',
  ),
  new RegExp(
    `^${greeting}(?:(?:puoi|potresti|può|potrebbe)${please} (?:dirmi|spiegarmi|mostrarmi)|(?:dimmi|spiegami|mi dica)${please}|(?:vorrei|voglio) sapere)${please}(?=[ ,:])`,
    'iu',
  ),
  new RegExp(
    `^${greeting}(?:(?:podes?|poderia|poderias)${please} (?:me )?(?:dizer|explicar|mostrar)(?:-me)?|(?:diga|explique|mostre)-me${please}|(?:gostaria de|quero) saber)${please}(?=[ ,:])`,
    'iu',
  ),
  new RegExp(
    `^${greeting}(?:(?:kun|kan|zou) (?:je|jij)(?: me| mij| ons)?${please} (?:vertellen|zeggen|uitleggen)|(?:kunt|kan|zou) u(?: me| mij| ons)?${please} (?:vertellen|zeggen|uitleggen))${please}(?=[ ,:])`,
    'iu',
  ),
  new RegExp(
    `^${greeting}(?:(?:vertel|zeg) (?:me|mij|ons)${please}|ik (?:wil|zou)(?: graag)? weten)${please}(?=[ ,:])`,
    'iu',
  ),
  new RegExp(
    `^${greeting}(?:(?:ты |вы |не )?(?:можешь|можете|мог(?:ла|ли)? бы (?:ты|вы))(?: мне| нам)?${please} (?:сказать|рассказать|объяснить|показать))${please}(?=[ ,:])`,
    'iu',
  ),
  new RegExp(
    `^${greeting}(?:(?:скажи|расскажи|объясни|подскажи)(?:те)?(?: мне| нам)?${please}|я (?:хочу|хотела? бы) (?:у?знать|понять))${please}(?=[ ,:])`,
    'iu',
  ),
  new RegExp(`^${greeting}(?:lütfen(?: bana| bize)? (?:söyle|anlat|açıkla)(?:yın)?)${please}(?=[ ,:])`, 'iu'),
  new RegExp(`^${greeting}(?:please|bitte|por favor|lütfen|пожалуйста)(?=[ ,:])`, 'iu'),
  /^(?:hi|hello|hey|hallo|hola|bonjour|salut|ciao|olá|привет|здравствуйте|merhaba)(?: there)?(?=[,!.])/iu,
]

/** How it ends. */
export const closing =
  /[ ,](?:please|thanks|thank you|bitte|danke|por favor|gracias|s['\u2019]il (?:te|vous) pla[iî]t|merci|per favore|grazie|obrigad[oa]|alsjeblieft|alstublieft|пожалуйста|спасибо|lütfen)[ .!?]{0,5}$/iu

/** Characters examined at either end of a question. */
const longest = 120

/** The range of the actual question, without such phrases. */
export function requestIn(question: string): { start: number; end: number } {
  const beginning = question.slice(0, longest)
  const start = openings.find(form => form.test(beginning))?.exec(beginning)?.[0].length ?? 0
  const tail = Math.max(start, question.length - longest)
  const end = tail + (closing.exec(question.slice(tail))?.index ?? question.length - tail)
  return { start, end }
}

/** Question words with the words that belong to them: "how many" does not ask for the word "many". */
const degrees = new Map(
  Object.entries({
    how: 'much many often old come',
    wie: 'viel viele vielen oft alt',
    hoe: 'veel vaak oud',
  }).map(([question, words]) => [question, new Set(words.split(' '))]),
)

/** Whether a folded word is part of the question word before it. */
export function isDegree(before: string | undefined, word: string): boolean {
  return before !== undefined && degrees.get(before)?.has(word) === true
}
