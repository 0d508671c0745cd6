import t from 'tap'
import { bestSentence } from '../../../domain/safes/ask/lead/sentence.js'
import { stemsOf } from '../../../domain/safes/ask/lead/words.js'

const CASES: Record<string, [text: string, sentence: string | null]> = {
  'the sentence with most words of the question': [
    'Files are kept here. You can **embed** a [file](a.md)\nin a [[note]]. A file is a file.',
    'You can embed a file in a note.',
  ],
  'an introduction with what follows it': [
    'To embed a file in a note:\n\n```\n![[a & b.md]]\n```\n\nThat is all of it.',
    'To embed a file in a note: ![[a & b.md]]',
  ],
  'nothing follows': ['- To embed a file in a note:', 'To embed a file in a note:'],
  'headings name what follows': ['## How to embed a file in a note\n\nOther words follow it.', null],
  'rows of a table': ['| embed a file | in a note |\n|---|---|\n| embed a file | in a note |', null],
}

t.test('the sentence that an answer begins with', async t => {
  for (const [title, [text, sentence]] of Object.entries(CASES))
    t.equal(bestSentence(text, stemsOf('How do I embed a file in a note?')), sentence, title)
})
