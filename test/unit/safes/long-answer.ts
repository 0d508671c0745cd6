import type { Answer } from '../../../domain/safes/ask/answer.js'

/** Texts that are easy for tokenizers, and hard ones. */
export const texts = {
  English:
    'The keeper of the North Lighthouse repaired the lantern in 1987, and wrote a report about it; nobody read it. ',
  Chinese:
    '\u706f\u5854\u5408\u4f5c\u793e\u6210\u7acb\u4e8e\u4e00\u4e5d\u516b\u4e03\u5e74\uff0c\u8d1f\u8d23\u5317\u5cb8\u4e09\u5ea7\u706f\u5854\u7684\u7ef4\u62a4\u9f98\u9750\u9f49\u3002',
  Japanese: '\u706f\u53f0\u5b88\u306f\u6bce\u6669\u30e9\u30f3\u30d7\u3092\u706f\u3057\u305f\u3002',
  Russian: '\u0421\u043c\u043e\u0442\u0440\u0438\u0442\u0435\u043b\u044c \u043c\u0430\u044f\u043a\u0430. ',
  emoji:
    '\u{1f680}\u{1f389}\u{1f469}\u200d\u{1f467}\u{1f3f3}\ufe0f\u200d\u{1f308}\u{1fae0}\u{1f9ff}\u{1d573} ',
  identifiers:
    'xQzKvB7pLmW9tRnY2aJhGfDsUiOe4C== 550e8400-e29b-41d4-a716-446655440000 XQZJWKV 3.14159265358979 ',
}

/** The answer of a search with facts and passages made of a text. */
export function answer(text: string, count = 20): Answer {
  const items = Array.from({ length: count }, (_, i) => i)
  return {
    safe: { id: 'safe1', name: 'Lighthouse' },
    mode: 'search',
    verdict: 'answered',
    confidence: 1,
    linked: [{ text: 'keeper', entity: text.slice(0, 20) }],
    facts: items.map(i => ({
      id: `1:${i}`,
      subject: text.slice(0, 40),
      predicate: 'says',
      object: `${text.slice(0, 60)} ${i}`,
      sources: ['a.jsonl'],
      score: 2 - i / 100,
    })),
    passages: items.map(i => ({
      id: `1:p${i}`,
      title: `Title ${i}`,
      text: text.repeat(40),
      source: 'a.jsonl',
      score: 1.995 - i / 100,
    })),
    entities: [text.slice(0, 20)],
    total: 100,
    truncated: false,
    next_cursor: null,
    hints: ['Ask on.'],
  }
}
