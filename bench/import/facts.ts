import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { generated } from '../graph/rows.js'

/** Writes a generated graph as the JSONL of `server-memory`. Returns some questions about it. */
export async function writeFacts(path: string, facts: number): Promise<string[]> {
  const { batches, questions } = generated(facts)
  const nameOf = new Map<string, string>()
  const file = createWriteStream(path)
  for await (const { entities, relations, passages } of batches) {
    const lines: object[] = []
    for (const { key, name } of entities) {
      nameOf.set(key, name)
      lines.push({ type: 'entity', name, entityType: 'thing', observations: [] })
    }
    for (const { entityKey, text } of passages)
      lines.push({ type: 'entity', name: nameOf.get(entityKey), entityType: 'thing', observations: [text] })
    for (const { subjectKey, predicate, objectKey } of relations)
      lines.push({
        type: 'relation',
        from: nameOf.get(subjectKey),
        to: nameOf.get(objectKey),
        relationType: predicate,
      })
    if (!file.write(`${lines.map(line => JSON.stringify(line)).join('\n')}\n`)) await once(file, 'drain')
  }
  file.end()
  await finished(file)
  return questions
}
