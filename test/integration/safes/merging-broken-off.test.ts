import t from 'tap'
import type { MergeStore } from '../../../domain/safes/stores/merge.sql.js'
import { openReports } from './merged.js'
import { eventually } from './open.js'

t.test('a merge that was broken off anywhere is continued, and nothing is lost', async t => {
  const whole = await openReports(t, 14)
  await whole.merge()
  const goal = { rows: distinct(await whole.rows()), counts: countsOf(await whole.safe()) }
  // Two times five: entities, aliases, relations, passages, and the end.
  for (const steps of [0, 1, 4, 5, 9]) {
    const { domain, id, merge, answers, safe, rows, clock, stores, exported } = await openReports(t, 14)
    const before = { answers: await answers(), exported: await exported() }
    const startAgain = dieAfter(stores.merges, steps)
    await t.rejects(merge(), /killed/, `after ${steps} steps`)
    startAgain()
    t.strictSame(await answers(), before.answers, 'what is half merged is not answered twice')
    t.strictSame(await exported(), before.exported)
    await t.rejects(domain.imports.undo('ann', id, 2), { code: 'merged' }, 'its rows may be in both')
    await merge()
    t.match(await safe(), { import_count: steps < 5 ? 14 : 9 }, 'the dead process has it for a minute')
    clock.now += 61_000
    await merge()
    t.strictSame({ rows: distinct(await rows()), counts: countsOf(await safe()) }, goal)
    t.strictSame(await eventually(answers, before.answers), before.answers)
  }
})

/** The process is killed after this many steps. @returns a function that starts it again */
function dieAfter(merges: MergeStore, steps: number): () => void {
  let left = steps
  const { append, finish } = merges
  const mortal =
    <Args extends unknown[]>(step: (...args: Args) => Promise<boolean>) =>
    async (...args: Args) => {
      if (left-- <= 0) throw new Error('killed')
      return step.apply(merges, args)
    }
  Object.assign(merges, { append: mortal(append), finish: mortal(finish) })
  return () => Object.assign(merges, { append, finish })
}

const countsOf = ({ entities, relations, passages, import_count }: Record<string, unknown>) => [
  ...[entities, relations, passages, import_count],
]

/** Rows of all imports as texts, without the Safe and the row numbers of their import. */
function distinct({ entities, aliases, relations, passages }: Record<string, object[] | object>) {
  return [entities, aliases, relations, passages].map(rows =>
    (rows as Record<string, unknown>[])
      .map(({ safe_id: _safe, id: _id, ...row }) => JSON.stringify(row))
      .sort(),
  )
}
