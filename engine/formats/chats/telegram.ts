import type { Format } from '../shared/format.js'
import { readParts } from '../shared/lines.js'
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
    yield* readParts(jsonLists(bytes, /^messages$/), new TelegramChats(file))
  },
}
