/**
 * Questions for a whole Safe ("What is in this Safe?", "list everything"), which have no words that occur in
 * its texts. All are anchored and without nested repetition.
 */

const SAFE =
  '(?:safe|vault|graph|knowledge ?(?:graph|base)|database|collection|memory|notes|data|tresor|caja|coffre|cassaforte|cofre|kluis)'
const WHOLE = `(?:it|here|there|(?:this|that|the|my|your|our)(?: (?:active|current|selected|whole|entire))? ${SAFE})`
const THINGS =
  '(?:everything|all|contents?|things|entities|entity types|types|facts|information|info|topics|subjects|items|records|documents|knowledge|relations|relationships|categories)'
const WITHIN = `(?:(?: (?:stored|saved|kept|contained|available|included|present|known))? (?:in|inside|within|from) ${WHOLE}| available| stored| covered)?`

/** "in it", "in this Safe" at the end of a question, which every question here implies. */
export const IN_SAFE = new RegExp(` (?:in|inside|within|from|of) ${WHOLE}$`, 'u')

export const OVERVIEW_FORMS: readonly RegExp[] = [
  new RegExp(
    `^(?:(?:give|show|provide|write|make|get)(?: me)? )?(?:an? |the )?(?:(?:short|brief|quick|general|high[- ]level|full|complete) )?(?:overview|summary|outline|contents|inventory)(?: (?:of|about|on) (?:all |the )?(?:${THINGS}|${SAFE}(?: contents?)?|${WHOLE}))?${WITHIN}$`,
    'u',
  ),
  new RegExp(
    `^(?:list|show|describe|summari[sz]e|explain|display|get|give|fetch|enumerate)(?: me)?(?: (?:all|every|the|your|of|main|key|important)){0,4} (?:${THINGS}|${WHOLE}|${SAFE})${WITHIN}$`,
    'u',
  ),
  new RegExp(
    `^what(?:['\u2019]s| is| are)?(?: (?:stored|saved|kept|contained|there|all)){0,2} (?:in|inside|within) ${WHOLE}$`,
    'u',
  ),
  new RegExp(
    `^what(?:['\u2019]s| is| are) (?:all )?(?:${WHOLE}|${SAFE}|this|that|these)(?: all)?(?: (?:about|for))?$`,
    'u',
  ),
  new RegExp(
    `^what (?:does|do|can|could) (?:${WHOLE}|you|i|we) (?:know|contain|hold|have|include|store|ask|find|see|tell me)(?: (?:about|here))?${WITHIN}$`,
    'u',
  ),
  new RegExp(
    `^(?:what|which)(?: (?:kinds?|types?|sorts?) of)?(?: (?:main|key|important))? (?:data|${THINGS}) (?:is|are|do you have|does it have|exist)(?: (?:there|known|present))?${WITHIN}$`,
    'u',
  ),
  new RegExp(
    `^what(?:['\u2019]s| is| are) the (?:(?:main|key|most important|central) )?${THINGS}${WITHIN}$`,
    'u',
  ),
  new RegExp(`^(?:everything|all(?: (?:the )?(?:data|${THINGS}))?)${WITHIN}$`, 'u'),
  /^(?:was (?:ist|steht|gibt es|liegt)(?: alles)? (?:hier|darin|in diese[mr] \p{L}{1,20}|im \p{L}{1,20})(?: drin)?|(?:gib mir )?(?:eine? )?(?:kurze[rn]? )?(?:überblick|übersicht|zusammenfassung)|(?:liste?|zeige?)(?: mir)? alles(?: auf)?|alles)$/u,
  /^(?:qu[ée] (?:hay|contiene)(?: (?:aqu[ií]|en (?:este|esta|el|la) \p{L}{1,20}|este \p{L}{1,20}))?|(?:dame )?(?:un )?resumen(?: general)?|visi[óo]n general|(?:lista|muestra|mu[ée]strame) todo|todo)$/u,
  /^(?:qu['\u2019]y a-t-il (?:ici|dans (?:ce|cette|le|la) \p{L}{1,20}) ?|que contient (?:ce|cette|le|la) \p{L}{1,20} ?|(?:donne-moi )?(?:un )?(?:aperçu|résumé)|vue d['\u2019]ensemble|(?:liste[rz]?|montre[rz]?)(?:[- ]moi)? tout|tout)$/u,
  /^(?:(?:che )?cosa (?:c['\u2019]è|contiene)(?: (?:qui|in quest[oa] \p{L}{1,20}|quest[oa] \p{L}{1,20}))?|(?:una )?panoramica|(?:un )?riassunto|(?:elenca|mostra) tutto|tutto)$/u,
  /^(?:o que (?:há|contém|tem)(?: (?:aqui|nest[ea] \p{L}{1,20}|est[ea] \p{L}{1,20}))?|(?:um )?resumo|(?:uma )?visão geral|(?:lista|liste|mostre|mostra) tudo|tudo)$/u,
  /^(?:wat (?:zit|staat|is) er (?:hier|in (?:deze|dit|de|het) \p{L}{1,20})|(?:een )?(?:overzicht|samenvatting)|(?:toon|lijst) alles|alles)$/u,
  /^(?:что (?:здесь|есть в (?:этом|этой) \p{L}{1,20}|в (?:этом|этой) \p{L}{1,20})|обзор|сводка|(?:покажи|перечисли) все|вс[её])$/u,
  /^(?:(?:这个|這個|此)?(?:里|裡)?(?:有什么|有什麼)|概览|概覽|概述|总结|總結|概要|まとめ|요약|개요)$/u,
]

/** Questions for the people of a Safe, under any type name. */
export const PEOPLE_FORM = /^who(?:['\u2019]s| is| are)(?: all)?(?: there)?$/u
