import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Notes in a hundred folders, linked with each other by name and by path. Returns their bytes. */
export function writeNotes(root: string, count: number): number {
  let bytes = 0
  for (let at = 0; at < count; at++) {
    const directory = join(root, `part ${at % 100}`)
    mkdirSync(directory, { recursive: true })
    const note = noteText(at, count)
    bytes += note.length
    writeFileSync(join(directory, `Crane ${at}.md`), note)
  }
  return bytes
}

function noteText(at: number, count: number): string {
  const other = (step: number) => (at * 31 + step) % count
  const words = (from: number) =>
    Array.from({ length: 60 }, (_, i) => `word${(from * 7 + i * 13) % 5000}`).join(' ')
  return `---
aliases: [Harbour crane number ${at}]
tags: [crane, quay-${at % 50}]
date: 2024-0${1 + (at % 9)}-1${at % 10}
height: ${at % 90}
operator: "[[Operator ${at % 700}]]"
---
# Crane ${at}

Stands beside [[Crane ${other(1)}]] and [crane](../part%20${other(2) % 100}/Crane%20${other(2)}.md). ${words(at)}

## Repairs

- Tool: [[Tool ${at % 300}]]
  - ${words(at + 1)}
- #done ${words(at + 2)}

| Day | Work |
|-----|------|
${Array.from({ length: 8 }, (_, i) => `| ${i} | ${words(at + i).slice(0, 60)} |`).join('\n')}

## Settings

\`\`\`yaml
# crane ${at}
height: ${at % 90}
\`\`\`

${words(at + 3)}
`
}
