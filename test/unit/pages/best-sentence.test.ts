import t from 'tap'
import { bestSentence } from '../../../routes/pages/things/best-sentence.js'
import { stemsOf } from '../../../routes/pages/things/marked-words.js'

const CASES: Record<string, [html: string, sentence: string | null]> = {
  'the sentence with most words of the question': [
    '<p>Files are kept here. You can embed a file in a note. A file is a file.</p>',
    'You can embed a file in a note.',
  ],
  'what is introduced is said with it': [
    '<p>To embed a file in a note:</p><pre><code>![[a &amp; b.md]]</code></pre><p>That is all of it.</p>',
    'To embed a file in a note: ![[a & b.md]]',
  ],
  'nothing follows': ['<ul><li>To embed a file in a note:</li></ul>', 'To embed a file in a note:'],
  'headings say nothing': [
    '<p class="heading">How to embed a file in a note</p><p>Other words follow it.</p>',
    null,
  ],
}

t.test('the sentence that an answer begins with', async t => {
  for (const [title, [html, sentence]] of Object.entries(CASES))
    t.equal(bestSentence(html, stemsOf('How do I embed a file in a note?')), sentence, title)
})
