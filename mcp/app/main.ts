import type { Answer } from '../../domain/safes/ask/answer.js'
import { svg } from '../../engine/pictures/index.js'
import { answerPicture } from './answer-picture.js'
import { Host, type HostContext, type ToolResult } from './host.js'

/** Enough for all neighbours that one picture shows. */
const NEIGHBOURS = { mode: 'entity', limit: 50, max_tokens: 8000, detail: 'brief' }

const root = document.documentElement
const picture = byId('picture')
const status = byId('status')
const back = byId('back')
const tool = root.dataset.tool ?? ''
const earlier: Answer[] = []
let shown: Answer | null = null
let mayCall = false

const host = new Host({ onResult: showResult, onContext: showContext })

picture.addEventListener('click', event => {
  const link = (event.target as Element).closest('a')
  const name = link?.getAttribute('href')?.slice(1)
  if (name === undefined) return
  event.preventDefault()
  if (mayCall) void expand(decodeURIComponent(name))
})
back.addEventListener('click', () => {
  const answer = earlier.pop()
  if (answer) draw(answer)
})
new ResizeObserver(() => {
  host.notify('ui/notifications/size-changed', { height: Math.ceil(document.body.scrollHeight) })
}).observe(document.body)

mayCall = await host.connect({ name: 'graph', version: '1.0.0' })
root.classList.toggle('expandable', mayCall)

function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The page has no element "${id}".`)
  return element
}

/** Shows the neighbourhood of an entity of the picture, in the Safe of the picture. */
async function expand(name: string): Promise<void> {
  const before = shown
  picture.setAttribute('aria-busy', 'true')
  try {
    const safe = before ? { safe: before.safe.id } : {}
    const answer = answerOf(await host.callTool(tool, { ...NEIGHBOURS, entities: [name], ...safe }))
    if (typeof answer === 'string') {
      say(answer)
      return
    }
    if (before) earlier.push(before)
    draw(answer)
  } catch (error) {
    say((error as Error).message)
  } finally {
    picture.removeAttribute('aria-busy')
  }
}

function showResult(result: ToolResult): void {
  earlier.length = 0
  const answer = answerOf(result)
  if (typeof answer === 'string') say(answer)
  else draw(answer)
}

/** The answer in a result, or the sentence about why there is none. */
function answerOf({ structuredContent, content, isError }: ToolResult): Answer | string {
  const answer = structuredContent as Partial<Answer> | undefined
  if (!isError && answer?.safe && answer.mode && answer.total !== undefined) return whole(answer)
  return content?.find(({ type }) => type === 'text')?.text ?? 'There is nothing to show.'
}

/** Including the lists that results omit if they are empty. */
function whole(answer: Partial<Answer>): Answer {
  const lists = { linked: [], facts: [], passages: [], entities: [], hints: [] }
  const summary = answer.summary && { summary: { relations: [], paths: [], hubs: [], ...answer.summary } }
  return { ...lists, ...answer, ...summary } as unknown as Answer
}

function draw(answer: Answer): void {
  shown = answer
  const drawn = answerPicture(answer)
  // Every text of the picture is escaped (`engine/pictures/svg.ts`).
  picture.innerHTML = drawn ? svg(drawn) : ''
  back.hidden = earlier.length === 0
  say(drawn ? `${drawn.title}, in the Safe “${answer.safe.name}”` : noPicture(answer))
}

const noPicture = ({ passages, hints }: Answer) =>
  passages.length > 0
    ? 'The answer consists of passages; there are no relations to draw.'
    : hints.join(' ') || 'There is nothing to show.'

function say(sentence: string): void {
  status.textContent = sentence
}

/** Applies the theme of the host, and the colours that the style sheet uses. */
function showContext({ theme, styles }: HostContext): void {
  if (theme) root.dataset.theme = theme
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (name.startsWith('--') && value) root.style.setProperty(name, value)
}
