import t from 'tap'
import { plainAddress } from '../../../platform/common/plain-address.js'

const CASES: Record<string, string> = {
  '@/docs/page.md#a': '/docs/page.md#a',
  "{{ '/docs/page/' | relative_url }}": '/docs/page/',
  '{{"/docs/page/"|absolute_url}}#a': '/docs/page/#a',
  '{{ site.baseurl }}/docs/': '/docs/',
  '{{site.url}}{{site.baseurl}}/docs/': '/docs/',
  '{{ site.baseurl }}{% link _docs/page.md %}#a': '/_docs/page.md#a',
  '{% post_url 2013-05-06-news %}': '2013-05-06-news',
  '{{< relref "page.md#a" >}}': 'page.md#a',
  '{{% ref page %}}': 'page',
  '{{ site.repository }}/issues/1': '{{ site.repository }}/issues/1',
  'a/{{b}}': 'a/{{b}}',
  '../@/page.md': '../@/page.md',
}

t.test('what a program of websites writes in a link is the address that it makes of it', async t => {
  for (const [written, address] of Object.entries(CASES)) t.equal(plainAddress(written), address)
})
