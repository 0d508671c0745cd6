import type { Format } from '../shared/format.js'
import { jsonChat } from './json-chats.js'

/** Chats of Telegram as JSON (`result.json`). */
export const telegram: Format = {
  ...jsonChat(
    'telegram',
    'Telegram export (JSON)',
    /^\{(?:[\s\S]{0,900}"(?:date_unixtime|text_entities)"\s{0,5}:|\s{0,20}(?:"about"\s{0,5}:\s{0,5}"[^"]{0,900}Telegram|(?:"name"\s{0,5}:\s{0,5}(?:null|"(?:[^"\\]|\\.){0,500}")\s{0,5},\s{0,20})?"type"\s{0,5}:\s{0,5}"(?:(?:personal|bot)_chat|saved_messages|replies|verification_codes|(?:private|public)_(?:group|supergroup|channel))"))/,
    async () => (await import('./telegram-chats.js')).TELEGRAM,
  ),
  hasParts: true,
}
