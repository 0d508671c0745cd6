import type { GraphRecord, Parsed } from '../../graph/index.js'
import type { DocumentSink } from '../shared/format.js'
import { checked } from '../shared/record.js'
import { HeadingPath, type NoteHeading } from './note-headings.js'
import { NotePassages } from './note-passages.js'

/** The entity that a document describes, and its source. */
interface DocumentSubject {
  /** The id of the entity that the passages describe. */
  id: string
  /** The beginning of every passage title. */
  name: string
  /** The path of its file, if there are several. */
  source: string | undefined
  sink: DocumentSink | undefined
}

/** Builds the records of a document with headings and passages. */
export abstract class PassageRecords {
  batch: Parsed[] = []
  /** The date of the document, in milliseconds since 1970. */
  time: number | undefined
  protected readonly subject: DocumentSubject
  protected readonly headings: HeadingPath
  protected readonly passages = new NotePassages(({ line, text }) => this.addPassage(line, text))
  /** The last heading, until text follows it. */
  protected bareHeading: { line: number; text: string } | null = null
  #seq = 0

  constructor(subject: DocumentSubject) {
    this.subject = subject
    this.headings = new HeadingPath(subject.name)
  }

  take(): Parsed[] {
    return this.batch.splice(0)
  }

  protected add(line: number, record: GraphRecord): void {
    if (record.kind === 'relation' && record.predicate === 'tagged')
      this.subject.sink?.about({ tags: [record.object] })
    this.batch.push(checked(line, record))
  }

  protected addPassage(line: number, text: string): void {
    const { id: entity, source } = this.subject
    const title = this.headings.title()
    this.add(line, {
      ...{ kind: 'passage', entity, title, text, seq: ++this.#seq },
      ...(source === undefined ? {} : { source }),
      ...(this.time === undefined ? {} : { time: this.time }),
    })
  }

  /** Ends the section before a heading. */
  protected beginSection(heading: NoteHeading): void {
    this.endSection(this.headings.isEndedBy(heading))
    this.headings.add(heading)
  }

  /** Ends the section; `isOver`: also the innermost heading. A heading without text becomes a passage of its own. */
  protected endSection(isOver: boolean): void {
    this.passages.endSection()
    const bare = this.bareHeading
    if (!bare || !isOver) return
    this.bareHeading = null
    this.addPassage(bare.line, bare.text)
  }
}
