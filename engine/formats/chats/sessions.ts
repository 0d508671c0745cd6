import { type Format, lazily } from '../shared/format.js'

/**
 * Sessions of coding agents: Claude Code, Codex, Gemini CLI. Each is a conversation, tagged with its project. Tool use
 * is summarized, and secrets are removed.
 */
export const sessions: Format = {
  id: 'sessions',
  title: 'Sessions of coding agents (Claude Code, Codex, Gemini CLI)',
  extensions: ['jsonl', 'json'],
  isRewritten: true,
  begins: new RegExp(
    [
      // Claude Code
      String.raw`^\{[\s\S]{0,900}"(?:sessionId|leafUuid|isSidechain)"\s{0,3}:`,
      // Codex
      String.raw`^\{"timestamp":"[^"]{10,40}","type":"(?:session_meta|response_item|event_msg|turn_context)"`,
      String.raw`^\{"id":"[0-9a-f-]{36}","timestamp":"[^"]{10,40}","instructions":`,
    ].join('|'),
  ),
  parse: lazily(async () => (await import('./session-reader.js')).readSession),
}
