import t from 'tap'
import { dataDir } from '../../data-dir.js'
import { onTerminal, runHere } from './svc.js'
import { openInstallation } from './vault.js'

const password = 'correct horse battery\n'

t.test('what was removed is listed and restored (ADR 45)', async t => {
  const { svc: here } = await openInstallation(t)
  const safeId = (await here('safe', 'sample', '--owner', 'ann@a.example')).stdout.trim()
  const name = 'Lighthouse cooperative'
  t.match(
    await here('safe', 'undo', safeId, '1', '--yes'),
    { code: 0, stderr: /is undone/ },
    'no terminal, no question',
  )
  const undone = await here('safe', 'imports', safeId, '--undone')
  t.match(undone.stdout, /^1\tLighthouse library\t\d{4}-\d\d-\d\dT[\d:.]+Z\n$/)
  t.equal((await here('safe', 'imports', safeId)).stdout, '')
  t.match(await here('safe', 'restore', name, '1'), { code: 0, stderr: /Import 1 of .* is restored/ })
  t.match((await here('safe', 'imports', safeId)).stdout, /^1\tcommitted\t/)
  t.match(await here('safe', 'restore', name, '1'), { code: 1, stderr: /import/ })

  const removed = await here('safe', 'remove', name, '--yes')
  t.match(removed, { code: 0, stderr: new RegExp(`To restore it: svc safe restore ${safeId}`) })
  t.match(await here('ask', safeId, 'Who?'), { code: 1, stderr: /no Safe/ })
  t.match((await here('safe', 'removed')).stdout, new RegExp(`^${safeId}\t${name}\t\\d{4}-`))
  t.match(JSON.parse((await here('safe', 'removed', '--json')).stdout), [
    { id: safeId, counts: { entities: 48 } },
  ])
  t.match(await here('safe', 'restore', 'nothing'), { code: 1, stderr: /no removed Safe/ })
  t.match(await here('safe', 'restore', name), { code: 0, stderr: /Restored the Safe/ })
  t.match((await here('ask', safeId, 'Who leads the Lens Restoration?')).stdout, /Lindqvist/)
})

t.test('what removes asks on a terminal, unless --yes is given', async t => {
  const folder = dataDir(t)
  await runHere(folder, ['account', 'add', 'ann@example.com', '--password-stdin'], password)
  await runHere(folder, ['account', 'add', 'bob@example.com', '--password-stdin'], password)
  const safeId = (await runHere(folder, ['safe', 'sample', '--owner', 'bob@example.com'])).stdout.trim()
  const token = await runHere(folder, ['connection', 'token', 'bob@example.com'])
  const connection = token.stderr.match(/connection (\w+)/)?.[1] ?? ''
  const safes = async () => {
    const { stdout } = await runHere(folder, ['safe', 'list', '--json'])
    // Documents are counted within a limit of time (ADR 41).
    return JSON.parse(stdout).map(({ documents: _, ...safe }: { documents: number }) => safe)
  }
  const before = await safes()
  const questions: [string[], RegExp][] = [
    [
      ['safe', 'undo', safeId, '1'],
      /Undo import 1 of .*Lighthouse library, 15 documents, 48 things, 88 relations, 32 passages/,
    ],
    [['safe', 'remove', safeId], /Remove the Safe .*48 things, 88 relations, 32 passages/],
    [['safe', 'unshare', safeId, 'bob@example.com'], /Remove bob@example\.com from/],
    [['connection', 'revoke', connection], /End the connection of Command line\?/],
    [['account', 'remove', 'bob@example.com'], /Remove bob@example\.com and the Safes that nobody else owns/],
  ]
  for (const [args, question] of questions) {
    for (const answer of ['n', '', 'yesterday']) {
      const asked = await onTerminal(folder, args, `${answer}\n`)
      t.match(asked, { code: 1, stderr: question }, args.join(' '))
      t.match(asked.stderr, /\[y\/N\].*Nothing was changed\.\n$/s)
    }
    const piped = await runHere(folder, args, 'y\n')
    t.match(piped, { code: 2, stderr: question }, 'nobody can answer without a terminal')
    t.match(piped.stderr, /Use --yes to continue\. Nothing was changed\.\n$/)
  }
  t.same(await safes(), before)
  t.match(await onTerminal(folder, ['safe', 'undo', safeId, '1'], 'y\n'), { code: 0, stderr: /is undone/ })
  t.match(await onTerminal(folder, ['safe', 'remove', safeId, '-y'], ''), { code: 0, stderr: /^Removed/ })
  t.same(await safes(), [])
})
