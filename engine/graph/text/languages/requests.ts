import { lowerCase } from '../text.js'

/**
 * Polite phrases before a question ("could you please tell me …") and after it ("… please"), which do not
 * describe what it asks for. Anchored, without nested repetition, and matched on the first characters only, in lower case.
 */

const PLEASE =
  "(?:,? (?:please|kindly|just|maybe|bitte|por favor|s['\u2019]il (?:te|vous) pla[iî]t|svp|per favore|alsjeblieft|alstublieft|пожалуйста))?"
const GREETING =
  '[ \u00a1\u00bf]{0,3}(?:(?:hi|hello|hey|hallo|hola|bonjour|salut|ciao|ol[aá]|привет|здравствуйте|merhaba)(?: there)?[,!.]{0,3} )?'

/** The beginning of a request: the action it asks for, or only a greeting. */
export const OPENINGS: readonly RegExp[] = [
  new RegExp(
    `^${GREETING}(?:${[
      `(?:please,? )?(?:(?:could|can|would|will) you${PLEASE} )?(?:tell|show|give|remind|explain(?: to)?|inform) (?:me|us)`,
      `(?:could|can|would|will) you${PLEASE} (?:tell|show|explain|describe|remind)`,
      'please,? (?:tell|explain|describe|show)',
      `(?:could|can|would|will) you${PLEASE} let (?:me|us) know`,
      "i(?: would|['\u2019]d)? (?:like|love|want|need) to (?:know|find out|understand|learn)",
      "i(?: am|['\u2019]m| was) (?:just )?wondering",
      '(?:do|would) you (?:happen to )?know|does any(?:one|body) know|any idea',
      `(?:könntest|kannst|würdest) du(?: mir| uns)?${PLEASE} (?:sagen|erklären|zeigen|erzählen|verraten)`,
      `(?:könnten|können|würden) sie(?: mir| uns)?${PLEASE} (?:sagen|erklären|zeigen|erzählen|verraten)`,
      `(?:sage?|erkläre?|zeige?|erzähle?) (?:mir|uns)${PLEASE}|(?:sagen|erklären|zeigen|erzählen) sie (?:mir|uns)${PLEASE}`,
      'ich (?:möchte|will|würde)(?: gerne?)? wissen|wei(?:ß|ss)t du|wissen sie',
      `(?:podrías|puedes|podría|puede)${PLEASE} (?:decirme|explicarme|mostrarme|contarme)`,
      `(?:dime|dígame|cuéntame|explícame|muéstrame)${PLEASE}|(?:me gustaría|quiero|quisiera) saber`,
      `(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous)${PLEASE} (?:me |nous |m['\u2019])?(?:dire|expliquer|montrer)`,
      `(?:dis|dites|expliquez?|montrez?)-(?:moi|nous)${PLEASE}|(?:je (?:voudrais|veux)|j['\u2019]aimerais) savoir|sais-tu|savez-vous`,
      `(?:puoi|potresti|può|potrebbe)${PLEASE} (?:dirmi|spiegarmi|mostrarmi)|(?:dimmi|spiegami|mi dica)${PLEASE}|(?:vorrei|voglio) sapere`,
      `(?:podes?|poderia|poderias)${PLEASE} (?:me )?(?:dizer|explicar|mostrar)(?:-me)?|(?:diga|explique|mostre)-me${PLEASE}|(?:gostaria de|quero) saber`,
      `(?:kun|kan|zou) (?:je|jij)(?: me| mij| ons)?${PLEASE} (?:vertellen|zeggen|uitleggen)|(?:kunt|kan|zou) u(?: me| mij| ons)?${PLEASE} (?:vertellen|zeggen|uitleggen)`,
      `(?:vertel|zeg) (?:me|mij|ons)${PLEASE}|ik (?:wil|zou)(?: graag)? weten`,
      `(?:ты |вы |не )?(?:можешь|можете|мог(?:ла|ли)? бы (?:ты|вы))(?: мне| нам)?${PLEASE} (?:сказать|рассказать|объяснить|показать)`,
      `(?:скажи|расскажи|объясни|подскажи)(?:те)?(?: мне| нам)?${PLEASE}|я (?:хочу|хотела? бы) (?:у?знать|понять)`,
      'lütfen(?: bana| bize)? (?:söyle|anlat|açıkla)(?:yın)?',
      'please|bitte|por favor|lütfen|пожалуйста',
    ].join('|')})${PLEASE}(?=[ ,:])`,
    'u',
  ),
  /^(?:hi|hello|hey|hallo|hola|bonjour|salut|ciao|olá|привет|здравствуйте|merhaba)(?: there)?(?=[,!.])/u,
]

/** How it ends. */
export const CLOSING =
  /[ ,](?:please|thanks|thank you|bitte|danke|por favor|gracias|s['\u2019]il (?:te|vous) pla[iî]t|merci|per favore|grazie|obrigad[oa]|alsjeblieft|alstublieft|пожалуйста|спасибо|lütfen)[ .!?]{0,5}$/u

/** Characters examined at either end of a question. */
const MAX_LENGTH = 120

/** The range of the actual question, without such phrases. */
export function requestIn(question: string): { start: number; end: number } {
  const lower = lowerCase(question)
  const beginning = lower.slice(0, MAX_LENGTH)
  const start = OPENINGS.find(form => form.test(beginning))?.exec(beginning)?.[0].length ?? 0
  const tail = Math.max(start, question.length - MAX_LENGTH)
  const end = tail + (CLOSING.exec(lower.slice(tail))?.index ?? question.length - tail)
  return { start, end }
}

/** Question words with the words that belong to them: "how many" does not ask for the word "many". */
const DEGREES = new Map([
  ['how', 'much many often old come'],
  ['wie', 'viel viele vielen oft alt'],
  ['hoe', 'veel vaak oud'],
])

/** Whether a folded word is part of the question word before it. */
export function isDegree(before: string | undefined, word: string): boolean {
  return (
    DEGREES.get(before ?? '')
      ?.split(' ')
      .includes(word) === true
  )
}
