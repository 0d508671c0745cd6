import t from 'tap'
import { isHidden } from '../../../domain/safes/imports/import-files.js'
import { lineBreaksIn } from '../../../engine/formats/notes/vault-settings.js'

const file = (path: string, text: string | null) => ({
  path,
  open: async () => {
    if (text === null) throw new Error('It is gone.')
    return (async function* () {
      yield Buffer.from(text)
    })()
  },
})

t.test(
  'the innermost vault says whether line ends are shown, and outside of vaults they are not',
  async t => {
    const hasLineBreaks = await lineBreaksIn([
      file('a/.obsidian/app.json', '{"vimMode":true}'),
      file('a/strict/.obsidian/app.json', '{"strictLineBreaks":true}'),
      file('broken/.obsidian/app.json', '{'),
      file('gone/.obsidian/app.json', null),
      file('large/.obsidian/app.json', ' '.repeat(100_000)),
      file('settings/app.json', '{}'),
    ])
    for (const path of ['a/x.md', 'a/b/x.md', 'broken/x.md', 'gone/x.md', 'large/x.md'])
      t.ok(hasLineBreaks(path), path)
    for (const path of ['x.md', 'a/strict/x.md', 'a.md', 'settings/x.md']) t.notOk(hasLineBreaks(path), path)
    const everywhere = await lineBreaksIn([file('.obsidian/app.json', '{"strictLineBreaks":false}')])
    t.ok(everywhere('x.md'))
  },
)

t.test('of hidden folders only these settings are looked at', async t => {
  for (const path of ['.obsidian/app.json', 'a/.obsidian/app.json']) t.notOk(isHidden(path), path)
  for (const path of [
    '.obsidian/plugins.json',
    '.trash/.obsidian/app.json',
    '.obsidian',
    '__MACOSX/.obsidian/app.json',
  ])
    t.ok(isHidden(path), path)
})
