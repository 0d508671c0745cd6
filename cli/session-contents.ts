import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { valueWithoutSecrets, withoutSecrets } from '../engine/formats/index.js'

/**
 * The bytes of a coding agent's session without tokens, keys and passwords, so that these do not leave the machine.
 * Lines of JSON stay such lines; one object over many lines, as Gemini CLI writes it, becomes one line.
 */
export async function* sessionContents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const lines = createInterface({ input: Readable.from(bytes), crlfDelay: Number.POSITIVE_INFINITY })
  const whole: string[] = []
  let isLines = false
  for await (const line of lines) {
    const cleaned = whole.length === 0 ? cleanedJson(line) : null
    isLines ||= cleaned !== null
    // After the first one, a line that is not JSON was cut off when the agent was killed.
    if (isLines) yield Buffer.from(`${cleaned ?? withoutSecrets(line)}\n`)
    else whole.push(line)
  }
  const text = whole.join('\n')
  if (whole.length > 0) yield Buffer.from(cleanedJson(text) ?? withoutSecrets(text))
}

/** The same JSON in one line, or null if it is not JSON. */
function cleanedJson(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text, valueWithoutSecrets))
  } catch {
    return null
  }
}
