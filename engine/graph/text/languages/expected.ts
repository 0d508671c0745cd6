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
    'how_(?:many|much|big|large|high|tall|far|fast|strong|heavy|old|wide|deep|expensive|large) (?:what|which)_(?:percentage|share|amount|number|price|size|port|speed|cost|budget|width|version) what_(?:does|do|did|will)_(?:\\S+_){1,4}cost price_of cost_of was_kosten?t? wie_?viele? wie_(?:groß|hoch|weit|schnell|stark|schwer|alt|breit|tief|teuer) welche_(?:anzahl|nummer|größe|höhe) cuánt[oa]s? qué_(?:cantidad|tamaño|número) combien quant[oaie] quant[oa]s hoeveel hoe_(?:groot|hoog|ver|snel|duur) hur_(?:många|mycket|stor|hög) hvor_(?:mange|mye|meget|stor|høy) kuinka_(?:monta|paljon) mennyi hány c[âî]t[eăi]? kolik ile сколько скільки kaç πόσ[οηαεςι]+ كم כמה कितन[ाेी]',
  date: 'when (?:what|which)_(?:day|date|year|month|time|weekday) since_when until_when wann seit_wann bis_wann welche[rsmn]?_(?:tag|datum|jahr|monat|uhrzeit) cuándo qué_(?:día|año|fecha|hora) quand quelle_(?:date|année|heure) quando qual_(?:data|ano) wanneer når när milloin mikor când kdy kiedy когда коли ne_zaman πότε متى מתי कब',
  place:
    'where (?:what|which)_(?:place|city|country|street|folder|town|room|address) wo woher wohin welche[rsmn]?_(?:ort|stadt|land|straße|ordner|raum) dónde adónde où d’où dove onde waar var hvor missä mistä hol hová unde kde gdzie где куда откуда де nerede nereden πού أين איפה कहाँ कहां',
  person:
    'who whom whose wer wem wen wessen von_wem quién quiénes qui de_qui chi di_chi quem wie_(?:is|heeft|was|heb) vem hvem kuka ki kinek cine kdo kto кто кого кому хто kim ποι(?:ος|α) من_هو מי कौन किस(?:ने|का|की)',
  reason:
    'why how_come what_for warum wieso weshalb wozu por_qué pourquoi perch[éè] por_que porqu[eê] waarom varför hvorfor miksi miért de_ce proč dlaczego почему зачем чому neden niçin γιατί لماذا למה क्यों',
  list: '(?:what|which)_(?:\\S+_)?\\S+s_(?:are|were|do|does|did|can|could|should|must|may|will|go|have|belong|make) (?:what|which)_(?:kinds?|types?|sorts?)_of what_(?:can|do|should)_(?:i|we|you)_(?:\\S+_){0,4}(?:on|with|every|in|for) welche_\\S+e[nrs]?_(?:gibt|sind|waren|werden|kann|können|soll|sollen|sollte|sollten|braucht|brauchen|gehören|passen|hat|haben|stehen) cuáles quels quelles quali quais welke_\\S+(?:en|s)_(?:zijn|kan|moet|heb) какие hangi\\S*_\\S+l[ae]r',
  choice:
    '^(?:is|are|was_(?:the|a|an|it|he|she|there|this|that|i)|were|do|does|did|can|could|should|must|may|will|would|has|have|ist|sind|war|kann|können|darf|dürfen|muss|müssen|soll|sollte|sollen|gibt|hat|haben|braucht|brauchen|puede|puedo|debo|hay|es_posible|est-ce|peut-on|puis-je|dois-je|posso|può|devo|pode|kan|mag|moet|is_het|можно|нужно|mı|mi)',
}

const PATTERNS = (Object.keys(ASKING) as Expected[]).map((expected): [Expected, RegExp] => {
  const spaced = ASKING[expected].replaceAll('_?', '\\s?').replaceAll('_', '\\s+').replace(/ /g, '|')
  return [expected, new RegExp(`(?<![\\p{L}\\p{N}])(?:${spaced})(?![\\p{L}\\p{N}])`, 'u')]
})

/** What the first question word asks for, in any language that passages can have; null for others. */
export function expectedOf(question: string): Expected | null {
  const lower = question.slice(0, 400).toLowerCase().trim()
  let [found, first]: [Expected | null, number] = [null, Number.POSITIVE_INFINITY]
  for (const [expected, pattern] of PATTERNS) {
    const at = pattern.exec(lower)?.index ?? first
    if (at < first) [found, first] = [expected, at]
  }
  return found
}
