import t, { type Test } from 'tap'
import { fact } from './filled.js'
import { add, open as openSignedIn } from './open.js'

const livesIn = (from: string, to: string) => ({ ...fact(from, to), relationType: 'lives in' })

/** Ann with a Safe about where Ada lived. */
async function open(t: Test) {
  const { app, browser, id: ann } = await openSignedIn(t)
  const { id } = await app.safes.create(ann, 'People')
  const facts = [
    { ...livesIn('Ada', 'Rome'), validFrom: '2015' },
    { ...livesIn('Ada', 'Bern'), validFrom: '2020-05' },
    { ...fact('Ada', 'Bo'), validTo: '2019' },
    fact('Ada', 'Cy'),
  ]
  await add(app, ann, id, 'a.jsonl', ...facts)
  const path = `/safes/${id}`
  /** The page once the newest index answers. */
  const body = async (rest: string, ready: RegExp) => {
    for (let tries = 0; tries < 50; tries++) {
      const page = await browser.get(`${path}${rest}`)
      if (ready.test(page.body)) return page.body.replace(/\s+/g, ' ')
    }
    return (await browser.get(`${path}${rest}`)).body.replace(/\s+/g, ' ')
  }
  const mark = (relation: string) => browser.submit(`${path}/settings`, `${path}/single-valued`, { relation })
  const unmark = (relation: string) =>
    browser.submit(`${path}/settings`, `${path}/single-valued/remove`, { relation })
  return { app, browser, ann, id, path, body, mark, unmark }
}

t.test('pages show when relations are true, and fold what newer ones have replaced', async t => {
  const { body, mark, unmark, path, browser } = await open(t)
  const plain = await body('/things/ada', /Ada/)
  t.match(plain, '<bdi>Bern</bdi></a> <span class="muted small">since 2020-05</span>')
  t.match(plain, '<bdi>Bo</bdi></a> <span class="muted small">until 2019</span>')
  t.match(plain, '<bdi>Cy</bdi></a> </td>', 'nothing where no dates are known')
  t.notMatch(plain, /<details>/)
  t.match(
    await body('?q=Where+does+Ada+live', /Bern/),
    /Rome<\/a><\/bdi> <span class="muted small">since 2015/,
  )
  t.match(await body('/browse?relation=knows', /until/), '<span class="muted small">until 2019</span>')

  t.match(await mark('livesIn'), {
    statusCode: 303,
    headers: { location: `${path}/settings#single-valued` },
  })
  const settings = await body('/settings', /lives in/)
  t.match(
    settings,
    /One value at a time.*<bdi class="grow">lives in<\/bdi>.*Remove <span class="hidden-label">lives in/,
  )
  t.match(settings, '<option value="knows">')
  t.notMatch(settings, '<option value="lives in">')
  const page = await body('/things/ada', /<details>/)
  t.match(
    page,
    /rowspan="2">.{0,200}lives in.*Bern.*<summary>Earlier: 1 <span class="hidden-label">lives in<\/span><\/summary>.*Rome.*2015 – 2020-05, superseded/,
  )
  t.match(await body('?q=Where+does+Ada+live', /superseded/), /Bern.*Rome.*2015 – 2020-05, superseded/)
  t.match(
    await body('/things/rome', /<details>/),
    /rowspan="1">← .*<summary>Earlier: 1 <span class="hidden-label">lives in<\/span><\/summary>.*Ada/,
  )

  t.equal((await unmark('lives in')).statusCode, 303)
  t.notMatch(await body('/things/ada', /since 2015/), /<details>/)
  t.match(await browser.get(`${path}/settings`), { statusCode: 200 })
})
