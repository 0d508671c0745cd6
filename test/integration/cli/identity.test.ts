import t from 'tap'
import { runHere } from './svc.js'
import { openInstallation } from './vault.js'

const fact = (from: string, relationType: string, to: string) =>
  JSON.stringify({ type: 'relation', from, relationType, to })

t.test('svc safe duplicates, merge and split', async t => {
  const { place, svc } = await openInstallation(t)
  const facts = [
    fact('Jane Smith', 'leads', 'Lens Restoration'),
    fact('J. Smith', 'leads', 'Lens Restoration'),
    fact('J. Smith', 'lives in', 'Lundvik'),
  ]
  await runHere(place, ['safe', 'import', 'Notes', '-', '--format', 'jsonl'], facts.join('\n'))

  t.match(await svc('safe', 'duplicates', 'Notes'), {
    code: 0,
    stdout: 'J. Smith\tJane Smith\tinitials; 1 neighbour in common\n',
  })
  t.match(JSON.parse((await svc('safe', 'duplicates', 'Notes', '--json')).stdout), [
    { keys: ['j. smith', 'jane smith'], common: ['Lens Restoration'] },
  ])
  t.match(await svc('safe', 'merge', 'Notes', 'Jane Smith', 'J. Smith'), {
    code: 0,
    stdout: '2\n',
    stderr: '“Notes”: merged “J. Smith” into “Jane Smith”.\n',
  })
  t.match(await svc('ask', 'Notes', 'Where does J. Smith live?'), {
    stdout:
      /Recognized: Jane Smith\.\nJane Smith — lives in → Lundvik[\s\S]*"Jane Smith" is also called "J\. Smith" here\./,
  })
  t.match(await svc('safe', 'duplicates', 'Notes'), { code: 0, stdout: '' })
  t.match(await svc('safe', 'merge', 'Notes', 'Jane Smith', 'J. Smith'), {
    code: 1,
    stderr: /already belong to one thing/,
  })
  t.match(await svc('safe', 'split', 'Notes', 'J. Smith'), { code: 0, stdout: '3\n' })
  t.match(await svc('ask', 'Notes', 'J. Smith'), { stdout: /J\. Smith — lives in → Lundvik/ })
  t.match(await svc('safe', 'undo', 'Notes', '3', '--yes'), { code: 0 })
  t.match(await svc('ask', 'Notes', 'J. Smith'), { stdout: /Jane Smith — lives in → Lundvik/ })
  t.match(await svc('safe', 'merge', 'Notes', 'Jane Smith', 'Nobody'), {
    code: 1,
    stderr: /no such thing|not found|There is no/i,
  })
})
