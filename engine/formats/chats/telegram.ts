import type { Parsed } from '../../graph/index.js'
import type { Format } from '../shared/format.js'
import { inBatches } from '../shared/lines.js'
import { jsonLists } from '../tables/json-lists.js'

/** Chats of Telegram, as Telegram Desktop exports them as JSON (`result.json`): one chat, or all of an account. */
export const telegram: Format = {
  id: 'telegram',
  title: 'Telegram export (JSON)',
  extensions: ['json'],
  hasParts: true,
  isRewritten: true,
  begins:
    /^\{(?:[\s\S]{0,900}"(?:date_unixtime|text_entities)"\s{0,5}:|\s{0,20}(?:"about"\s{0,5}:\s{0,5}"[^"]{0,900}Telegram|(?:"name"\s{0,5}:\s{0,5}(?:null|"(?:[^"\\]|\\.){0,500}")\s{0,5},\s{0,20})?"type"\s{0,5}:\s{0,5}"(?:(?:personal|bot)_chat|saved_messages|replies|verification_codes|(?:private|public)_(?:group|supergroup|channel))"))/,
  async *parse(bytes, file) {
    const { TelegramChats } = await import('./telegram-chats.js')
    const chats = new TelegramChats(file)
    for await (const parts of jsonLists(bytes, /^messages$/)) {
      const parsed: Parsed[] = []
      for (const part of parts)
        if ('members' in part) parsed.push(...chats.begin(part.members))
        else parsed.push(...('problem' in part ? [part] : chats.read(part.line, part.text)))
      // Even when empty, so that the caller can yield to other work.
      yield* inBatches(parsed)
    }
    yield* inBatches([...chats.end()])
  },
}
