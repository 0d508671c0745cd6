/** Content passed on by another program, to become a note. */
interface Captured {
  title: string
  text: string
  url: string
}

const ADDRESS = /^https?:\/\/\S{1,2000}$/i
const MAX_TITLE_LENGTH = 120

/** Puts the shared content into the right fields: share sheets often pass an address as text, or after it. */
export function capturedFields({
  title = '',
  text = '',
  url = '',
}: {
  title?: string | undefined
  text?: string | undefined
  url?: string | undefined
}): Captured {
  const words = text.trimEnd()
  const last = words.slice(Math.max(words.lastIndexOf(' '), words.lastIndexOf('\n')) + 1)
  const isAddress = url.trim() === '' && ADDRESS.test(last)
  const address = isAddress ? last : url.trim()
  const rest = isAddress ? words.slice(0, -last.length).trim() : text
  return { title: title.trim() || titleOf(rest, address), text: rest, url: address }
}

/** The text of a note with its source and the day, as properties for questions and people. */
export function capturedText({ text, url }: Pick<Captured, 'text' | 'url'>, now: number): string {
  const address = URL.canParse(url) && ADDRESS.test(url) ? new URL(url).href : null
  const properties = [
    `date: ${new Date(now).toISOString().slice(0, 10)}`,
    ...(address === null ? [] : [`url: ${JSON.stringify(address)}`]),
  ]
  const body = text.trim() === '' && address !== null ? `<${address}>` : text
  return text.trim() === '' && address === null ? '' : `---\n${properties.join('\n')}\n---\n\n${body}`
}

/** The first words, or the host of the address. */
function titleOf(text: string, url: string): string {
  const [line = ''] = text.trim().split('\n', 1)
  if (line !== '') return line.length > MAX_TITLE_LENGTH ? `${line.slice(0, MAX_TITLE_LENGTH - 1)}…` : line
  return URL.canParse(url) ? new URL(url).host : ''
}
