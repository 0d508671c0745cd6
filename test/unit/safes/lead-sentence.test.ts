import t from 'tap'
import { bestSentence } from '../../../domain/safes/ask/lead/sentence.js'
import { expectedOf } from '../../../engine/graph/index.js'
import { askedIn } from '../../asked.js'

const CASES: Record<string, [question: string, text: string, sentence: string | null]> = {
  'the sentence with most words, as plain text, and what follows it in its paragraph': [
    'How do I embed a file in a note?',
    'Files are kept here.\n\nYou can **embed** a [file](a.md)\nin a [[note]]. A file is a file.\n\nMore.',
    'You can embed a file in a note. A file is a file.',
  ],
  'an introduction with what follows it': [
    'How do I embed a file in a note?',
    'To embed a file in a note:\n\n```\n![[a & b.md]]\n```\n\nThat is all of it.',
    'To embed a file in a note: ![[a & b.md]]',
  ],
  'not a heading, nor a row of a table': [
    'How do I embed a file in a note?',
    '## How to embed a file in a note\n\n| embed a file | in a note |',
    null,
  ],
  'a row of a table with its head': [
    'How many boats does Ada own?',
    '| owner | boats |\n|---|---|\n| Bo | 2 |\n| Ada | 3 |',
    'owner: Ada, boats: 3',
  ],
  'all items of a list that is asked for': [
    'Which tools are in the red box?',
    'In the red box are these:\n\n- hammer\n- saw\n- file\n\nIt is heavy.',
    'In the red box are these: hammer, saw, file',
  ],
  'the command after the sentence that tells to run it': [
    'How do I start the pump?',
    'Start the pump with this command\n\n```\npump up\n```',
    'Start the pump with this command pump up',
  ],
  'code only with the sentence before it': [
    'Which pump starts?',
    '```\npump starts\n```\n\nThe pump starts at noon, unless it rains.',
    'The pump starts at noon, unless it rains.',
  ],
  'no line of a diagram, and no mark of a frame': [
    'Who opens the harbour gate?',
    '```mermaid\nA[who opens the harbour gate] --> B\n```\n\n:::tip\nAda opens the gate at dawn.\n:::',
    'Ada opens the gate at dawn.',
  ],
  'words in the order of the question before the same words in another': [
    'When is the light house painted?',
    'The house is light after it is painted white.\n\nThe walls of the light house painted last year are dry.',
    'The walls of the light house painted last year are dry.',
  ],
  'a property with the name of its note': [
    'How many slices are a serving?',
    'Cut it while it is warm.\n\nserving: 8 slices\ndate: 2021-03-11',
    'Note — serving: 8 slices',
  ],
  'what answers before a question': [
    'What are the dangers of open data?',
    'What dangers does open data have?\n\nOpen data can hurt privacy, a danger for many.',
    'Open data can hurt privacy, a danger for many.',
  ],
  'a compound of a word of the question': [
    'Which light is new?',
    'Something else is here too.\n\nThe lighthousekeeper is Ada.',
    'The lighthousekeeper is Ada.',
  ],
  'one with what is asked for before one with another word': [
    'How long does the soup simmer?',
    'Soup is what I like.\n\nThe soup needs 40 minutes.\n\nThe soup feeds 8 people.',
    'The soup needs 40 minutes.',
  ],
  'with the sentence before it when it begins with a pronoun': [
    'Where was the telescope made?',
    'The old telescope came by ship. It was made in Jena.',
    'The old telescope came by ship. It was made in Jena.',
  ],
  'the own sentence before an item of a list of links': [
    'Do I read about gardens?',
    '- [Do I read about gardens in 2021](https://a.example)\n\nI read about gardens every day.',
    'I read about gardens every day.',
  ],
  'a sentence goes on after an abbreviation': [
    'Who repairs the great lens?',
    'The great lens is a work of Dr. Holm, e.g. Ada, who repairs it.',
    'The great lens is a work of Dr. Holm, e.g. Ada, who repairs it.',
  ],
}

t.test('the sentence that an answer begins with', async t => {
  for (const [title, [question, text, sentence]] of Object.entries(CASES)) {
    const best = bestSentence({ title: 'Note', text }, askedIn(question), expectedOf(question))
    t.equal(best?.text ?? null, sentence, title)
  }
})
