/** What a question asks for, by its question word. */
export type Expected =
  | 'list'
  | 'quantity'
  | 'duration'
  | 'degrees'
  | 'date'
  | 'place'
  | 'person'
  | 'reason'
  | 'choice'

/** Question words by what they ask for, the more specific first. Whole words in lower case; `_` joins words. */
const ASKING: Readonly<Record<Expected, string>> = {
  duration:
    'how_long how_often how_(?:many|much)_(?:seconds|minutes|hours|days|weeks|months|years|time) wie_lange wie_oft wie_viele_(?:sekunden|minuten|stunden|tage|wochen|monate|jahre) cuánto_tiempo cuánto_dura(?:n)? cuánt[oa]s_(?:horas|minutos|días|semanas|meses|años) combien_de_(?:temps|minutes|heures|jours|semaines|mois) quanto_(?:tempo|dura) quant[ie]_(?:ore|minuti|giorni) quant[oa]s_(?:horas|minutos|dias) hoe_lang hoe_vaak hur_länge hvor_lenge hvor_længe kuinka_kauan meddig mennyi_ideig cât_(?:timp|durează) jak_dlouho jak_długo как_(?:долго|часто) сколько_(?:времени|минут|часов|дней|длится) як_довго ne_kadar_s[uü]re kaç_(?:dakika|saat|gün) πόση_ώρα πόσο_καιρό',
  degrees:
    'how_(?:many_degrees|hot|warm|cold) (?:what|which)_(?:\\S+_)?(?:temperature|heat) at_what_(?:\\S+_)?(?:temperature|heat) temperature wie_(?:viel_grad|heiß|warm|kalt) temperatur temperatura température hoe_(?:heet|warm|koud) температур\\S*',
  quantity:
    'how_(?:many|much|big|large|high|tall|far|fast|strong|heavy|old|wide|deep|expensive|large) (?:what|which)_(?:percentage|share|amount|number|price|size|port|speed|cost|budget|width) price_of cost_of wie_?viele? wie_(?:groß|hoch|weit|schnell|stark|schwer|alt|breit|tief|teuer) welche_(?:anzahl|nummer|größe|höhe) cuánt[oa]s? qué_(?:cantidad|tamaño|número) combien quant[oaie] quant[oa]s hoeveel hoe_(?:groot|hoog|ver|snel|duur) hur_(?:många|mycket|stor|hög) hvor_(?:mange|mye|meget|stor|høy) kuinka_(?:monta|paljon) mennyi hány c[âî]t[eăi]? kolik ile сколько скільки kaç πόσ[οηαεςι]+ كم כמה कितन[ाेी]',
  date: 'when (?:what|which)_(?:day|date|year|month|time|weekday) since_when until_when wann seit_wann bis_wann welche[rsmn]?_(?:tag|datum|jahr|monat|uhrzeit) cuándo qué_(?:día|año|fecha|hora) quand quelle_(?:date|année|heure) quando qual_(?:data|ano) wanneer når när milloin mikor când kdy kiedy когда коли ne_zaman πότε متى מתי कब',
  place:
    'where (?:what|which)_(?:place|city|country|street|folder|town|room|address) wo woher wohin welche[rsmn]?_(?:ort|stadt|land|straße|ordner|raum) dónde adónde où d’où dove onde waar var hvor missä mistä hol hová unde kde gdzie где куда откуда де nerede nereden πού أين איפה कहाँ कहां',
  person:
    'who whom whose wer wem wen wessen von_wem quién quiénes qui de_qui chi di_chi quem wie_(?:is|heeft|was|heb) vem hvem kuka ki kinek cine kdo kto кто кого кому хто kim ποι(?:ος|α) من_هو מי कौन किस(?:ने|का|की)',
  reason:
    'why how_come what_for warum wieso weshalb wozu por_qué pourquoi perch[éè] por_que porqu[eê] waarom varför hvorfor miksi miért de_ce proč dlaczego почему зачем чому neden niçin γιατί لماذا למה क्यों',
  list: '(?:what|which)_(?:\\S+_)?\\S+s_(?:are|were|do|does|did|can|could|should|must|may|will|go|have|belong|make) (?:what|which)_(?:kinds?|types?|sorts?)_of what_(?:can|do|should)_(?:i|we|you)_(?:\\S+_){0,4}(?:on|with|every|in|for) welche_\\S+e[nrs]?_(?:gibt|sind|waren|werden|kann|können|soll|sollen|sollte|sollten|braucht|brauchen|gehören|passen|hat|haben|stehen) cuáles quels quelles quali quais welke_\\S+(?:en|s)_(?:zijn|kan|moet|heb) какие hangi\\S*_\\S+l[ae]r',
  choice:
    '^(?:is|are|was|were|do|does|did|can|could|should|must|may|will|would|has|have|ist|sind|war|kann|können|darf|dürfen|muss|müssen|soll|sollte|sollen|gibt|hat|haben|braucht|brauchen|puede|puedo|debo|hay|es_posible|est-ce|peut-on|puis-je|dois-je|posso|può|devo|pode|kan|mag|moet|is_het|можно|нужно|mı|mi)',
}

const PATTERNS = (Object.keys(ASKING) as Expected[]).map((expected): [Expected, RegExp] => {
  const spaced = ASKING[expected].replaceAll('_?', '\\s?').replaceAll('_', '\\s+').replace(/ /g, '|')
  return [expected, new RegExp(`(?<![\\p{L}\\p{N}])(?:${spaced})(?![\\p{L}\\p{N}])`, 'u')]
})

/** What a question asks for, in any language that passages can have; null for others. */
export function expectedOf(question: string): Expected | null {
  const lower = question.slice(0, 400).toLowerCase().trim()
  return PATTERNS.find(([, pattern]) => pattern.test(lower))?.[0] ?? null
}

const NUMBER =
  '(?:\\d|(?<!\\p{L})(?:half|two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|dos|tres|cuatro|cinco|deux|trois|quatre|cinq|due|tre|quattro|cinque|dois|três|twee|drie|vijf|два|две|три|четыре|пять)(?!\\p{L}))'
const UNIT =
  '(?:ms|s|sec|secs|seconds?|mins?|minutes?|h|hrs?|hours?|days?|nights?|weeks?|months?|years?|sekunden?|minuten?|std|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|segundos?|minutos?|horas?|días?|dias?|semanas?|meses|mes|años?|anos?|secondes?|heures?|jours?|semaines?|mois|ans|années?|ore|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|seconden|minuten|uur|uren|dag(?:en)?|weken|maand(?:en)?|jaar|minuter|timmar|dagar|veckor|timer|дн\\S*|час\\S*|минут\\S*|недел\\S*|месяц\\S*|лет|год\\S*|dakika|saat|gün|hafta|yıl)'
const MONTH =
  '(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|ene|abr|ago|dic|fév|avr|aoû|déc|gen|mag|giu|lug|set|ott|fev|out|maj|янв|фев|мар|апр|ма[яй]|июн|июл|авг|сен|окт|ноя|дек)\\p{L}*'
const WEEKDAY =
  '(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwoch|lunes|martes|miércoles|jueves|viernes|sábado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|luned[iì]|marted[iì]|venerd[iì]|morning|noon|midnight|spring|summer|autumn|winter|frühling|sommer|herbst'

const HOLDING: Readonly<Record<Expected, RegExp>> = {
  quantity: new RegExp(NUMBER, 'iu'),
  duration: new RegExp(
    `(?:${NUMBER}[^.;:\\n]{0,12}?|(?<!\\p{L})(?:an?|one|ein(?:e[rn]?)?|un[ae]?|uma?|une|een|час)\\s+(?:\\p{L}+\\s+)?)(?<!\\p{L})${UNIT}(?!\\p{L})|overnight|daily|weekly|hourly|täglich|wöchentlich|über nacht`,
    'iu',
  ),
  degrees: /\d\s?(?:º|°|℃|℉|deg|[CF]\b|grad|градус)/iu,
  date: new RegExp(
    `(?<!\\d)(?:1\\d|20)\\d\\d(?!\\d)|\\d{1,2}[:h]\\d\\d|\\d\\s?(?:am|pm|uhr)\\b|\\d{1,2}[./]\\d{1,2}\\.?|(?<!\\p{L})(?:${MONTH}\\.?\\s+\\d|\\d{1,2}\\.?\\s+${MONTH}|${WEEKDAY})(?!\\p{L})`,
    'iu',
  ),
  place:
    /(?<!\p{L})(?:in|at|from|to|near|under|on|behind|im|aus|bei|nach|unter|en|de|à|au|chez|dans|a|da|em|no|na|op|bij|uit|в|на|из)\s+(?:(?:the|der|dem|den|la|le|el|il|o)\s+)?["“`*[]*\p{Lu}|[\w-]+\/[\w-]+|`[^`]+`/u,
  person:
    /(?<![.!?]\s)(?<!^)(?<!\p{L})\p{Lu}\p{Ll}+\s+(?:(?:von|van|de|der|di)\s+)?\p{Lu}\p{Ll}+|@\w{2,}|(?<!\p{L})(?:by|von|von|par|por|di|door)\s+["“*[]*\p{Lu}/u,
  reason:
    /(?<!\p{L})(?:because|since|so that|due to|in order to|as (?:it|this|they|we|the)|to (?:avoid|prevent|protect|ensure|allow|make|keep|help)|lets?|allows?|otherwise|reason|therefore|weil|da|damit|denn|um|sonst|deshalb|porque|para|ya que|parce que|car|pour|afin|perch[éè]|affinché|pois|omdat|zodat|want|därför|fordi|потому|чтобы|так как|çünkü|için)(?!\p{L})/iu,
  list: /[^,;]{2,},[^,;]{2,}(?:,|(?<!\p{L})(?:and|or|und|oder|sowie|y|o|et|ou|e|en|и|или|ve)(?!\p{L}))[^,;]{2,}|:$/iu,
  choice:
    /(?<!\p{L})(?:yes|no|not|never|can|cannot|can't|don't|doesn't|isn't|shouldn't|won't|only|must|should|may|optional|possible|required|ja|nein|nicht|kein\p{L}*|nie|kann|können|muss|müssen|sollte\p{L}*|darf|dürfen|sí|nunca|puede|debe|oui|non|pas|jamais|peut|faut|mai|può|deve|não|pode|nee|niet|geen|moet|kan|нет|не|нельзя|можно)(?!\p{L})/iu,
}

/** Whether a text has something of what is asked for: a number, a date, a reason. */
export const holdsExpected = (text: string, expected: Expected): boolean => HOLDING[expected].test(text)
