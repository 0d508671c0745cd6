import t from 'tap'
import { dataDir } from '../../helper.js'
import { runHere } from './svc.js'

const fact = (from: string, relationType: string, to: string) =>
  JSON.stringify({ type: 'relation', from, relationType, to })

t.test('svc safe duplicates, merge and split', async t => {
  const folder = dataDir(t)
  const svc = (...args: string[]) => runHere(folder, args)
  await runHere(folder, ['account', 'add', 'ann@example.com', '--password-stdin'], 'correct horse battery\n')
  await svc('safe', 'add', 'Harbour', '--owner', 'ann@example.com')
  const facts = [
    fact('Jane Smith', 'leads', 'Lens Restoration'),
    fact('J. Smith', 'leads', 'Lens Restoration'),
    fact('J. Smith', 'lives in', 'Lundvik'),
  ]
  await runHere(folder, ['safe', 'import', 'Harbour', '-', '--format', 'jsonl'], facts.join('\n'))

  t.match(await svc('safe', 'duplicates', 'Harbour'), {
    code: 0,
    stdout: 'J. Smith\tJane Smith\tinitials; 1 neighbour in common\n',
  })
  t.match(JSON.parse((await svc('safe', 'duplicates', 'Harbour', '--json')).stdout), [
    { keys: ['j. smith', 'jane smith'], common: ['Lens Restoration'] },
  ])
  t.match(await svc('safe', 'merge', 'Harbour', 'Jane Smith', 'J. Smith'), {
    code: 0,
    stdout: '2\n',
    stderr: '“Harbour”: merged “J. Smith” into “Jane Smith”.\n',
  })
  t.match(await svc('ask', 'Harbour', 'Where does J. Smith live?'), {
    stdout:
      /Recognized: Jane Smith\.\nJane Smith — lives in → Lundvik[\s\S]*"Jane Smith" is also called "J\. Smith" here\./,
  })
  t.match(await svc('safe', 'duplicates', 'Harbour'), { code: 0, stdout: '' })
  t.match(await svc('safe', 'merge', 'Harbour', 'Jane Smith', 'J. Smith'), {
    code: 1,
    stderr: /one thing already/,
  })
  t.match(await svc('safe', 'split', 'Harbour', 'J. Smith'), { code: 0, stdout: '3\n' })
  t.match(await svc('ask', 'Harbour', 'J. Smith'), { stdout: /J\. Smith — lives in → Lundvik/ })
  t.match(await svc('safe', 'undo', 'Harbour', '3', '--yes'), { code: 0 })
  t.match(await svc('ask', 'Harbour', 'J. Smith'), { stdout: /Jane Smith — lives in → Lundvik/ })
  t.match(await svc('safe', 'merge', 'Harbour', 'Jane Smith', 'Nobody'), {
    code: 1,
    stderr: /no such thing|not found|There is no/i,
  })
})
