import type { Answer } from '../../domain/safes/ask/answer.js'
import type { AnswerSummary } from '../../domain/safes/ask/answer-summary.js'
import {
  type Chain,
  MAX_NEIGHBOURS,
  type Neighbourhood,
  type Picture,
  type PictureNeighbour,
  type PictureThing,
  pathChain,
  radial,
} from '../../engine/pictures/index.js'

/** The address of a name within the page. */
const hrefOf = (name: string) => `#${encodeURIComponent(name)}`

/** An answer as a picture whose names link to `href`, or null if nothing in it is related. */
export function answerPicture(
  answer: Answer,
  href: (name: string) => string = hrefOf,
  draw: (neighbourhood: Neighbourhood) => Picture = radial,
): Picture | null {
  const { summary } = answer
  const thing: MakeThing = (name, type = null) => ({ name, type, href: href(name) })
  if (summary?.kind === 'path' && summary.paths[0]) return pathChain(chainOf(summary.paths[0], thing))
  if (summary?.kind === 'overview') return overview(answer.safe.name, summary, { thing, draw })
  const centre = centreOf(answer, thing)
  return centre ? around(centre, answer, { thing, draw }) : null
}

type MakeThing = (name: string, type?: string | null) => PictureThing

/** How things and the whole picture are drawn. */
interface Drawing {
  thing: MakeThing
  draw: (neighbourhood: Neighbourhood) => Picture
}

type Overview = Extract<AnswerSummary, { kind: 'overview' }>
type Path = Extract<AnswerSummary, { kind: 'path' }>['paths'][number]

const chainOf = ({ entities, steps }: Path, thing: MakeThing): Chain => ({
  things: entities.map(name => thing(name)),
  steps,
})

/** The Safe and the entities with the most relations. */
function overview(safe: string, { hubs }: Overview, { thing, draw }: Drawing): Picture | null {
  if (hubs.length === 0) return null
  const neighbours = hubs.map(
    ({ name }): PictureNeighbour => ({ ...thing(name), predicate: 'best connected', direction: 'out' }),
  )
  return draw({ centre: { name: safe, type: null }, neighbours })
}

/** The entity that the answer is about, else the one in most of its facts. */
function centreOf({ summary, linked, facts }: Answer, thing: MakeThing): PictureThing | null {
  if (summary?.kind === 'entity') return thing(summary.name, summary.type)
  const counts = new Map<string, number>()
  for (const { subject, object } of facts)
    for (const name of [subject, object]) counts.set(name, (counts.get(name) ?? 0) + 1)
  const known = linked.map(({ entity }) => entity).filter(name => counts.has(name))
  const names = known.length > 0 ? known : [...counts.keys()]
  const [best] = names.sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
  return best === undefined ? null : thing(best)
}

function around(centre: PictureThing, { facts, summary }: Answer, { thing, draw }: Drawing): Picture | null {
  const neighbours = new Map<string, PictureNeighbour>()
  for (const { subject, predicate, object } of facts) {
    const direction = subject === centre.name ? 'out' : 'in'
    const name = direction === 'out' ? object : subject
    if ((direction === 'in' && object !== centre.name) || name === centre.name) continue
    neighbours.set(JSON.stringify([name, predicate, direction]), { ...thing(name), predicate, direction })
  }
  if (neighbours.size === 0) return null
  const shown = [...neighbours.values()].slice(0, MAX_NEIGHBOURS)
  const places = new Map(shown.map(({ name }, place) => [name, place]))
  const chords = facts.flatMap(({ subject, object }): [number, number][] => {
    const [from, to] = [places.get(subject), places.get(object)]
    return from === undefined || to === undefined || from === to ? [] : [[from, to]]
  })
  const all = summary?.kind === 'entity' ? summary.facts : neighbours.size
  return draw({ centre, neighbours: shown, chords, others: Math.max(0, all - shown.length) })
}
