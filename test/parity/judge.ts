/** Which behaviours the tests of a report prove, and what is wrong with the rest. */
import type { Exception, ReportedTest } from './behaviour.ts'
import type { Chapter } from './behaviours/catalogue.ts'

/** One test of a behaviour; a test that runs on several stores or inputs under one title counts its passes. */
export interface Proof {
  readonly file: string
  readonly title: string
  readonly passed: number
  readonly total: number
}

/** One line of the report. */
export interface Verdict {
  readonly id: string
  readonly says: string
  readonly proofs: readonly Proof[]
  readonly state: 'proven' | 'failed' | 'missing' | 'excepted'
  readonly exception: Exception | null
}

/** A chapter with its verdicts. */
export interface JudgedChapter {
  readonly title: string
  readonly verdicts: readonly Verdict[]
}

/** Everything the report needs. */
export interface Judgement {
  readonly chapters: readonly JudgedChapter[]
  /** Empty when parity holds. */
  readonly problems: readonly string[]
}

/** What is judged. */
export interface Evidence {
  readonly chapters: readonly Chapter[]
  readonly exceptions: Readonly<Record<string, Exception>>
  readonly tests: readonly ReportedTest[]
}

const tag = /\[([PCSTG]\d+)\]/g

/** The ids of the behaviours that a title claims. */
export function tagsOf(title: string): readonly string[] {
  return [...title.matchAll(tag)].map((match) => match[1] ?? '')
}

/** The title without its tags. */
function plainTitle(title: string): string {
  return title.replaceAll(tag, '').replaceAll(/\s+/g, ' ').trim()
}

/** Holds the catalogue against the tests. */
export function judge({ chapters, exceptions, tests }: Evidence): Judgement {
  const byId = new Map<string, ReportedTest[]>()
  for (const test of tests) {
    for (const id of tagsOf(test.title)) byId.set(id, [...(byId.get(id) ?? []), test])
  }
  const judged = chapters.map(({ title, behaviours }) => ({
    title,
    verdicts: Object.entries(behaviours).map(([id, says]): Verdict => {
      const proofs = proofsOf(byId.get(id) ?? [])
      const exception = exceptions[id] ?? null
      return { id, says, proofs, exception, state: stateOf(proofs, exception) }
    }),
  }))
  const known = new Set(judged.flatMap(({ verdicts }) => verdicts.map(({ id }) => id)))
  return {
    chapters: judged,
    problems: [
      ...judged.flatMap(({ verdicts }) => verdicts.flatMap(problemOf)),
      ...[...byId].filter(([id]) => !known.has(id)).map(([id, of]) => unknownTag(id, of)),
      ...Object.keys(exceptions)
        .filter((id) => !known.has(id))
        .map((id) => `${id} is excepted, but there is no such behaviour`),
    ],
  }
}

function proofsOf(tests: readonly ReportedTest[]): readonly Proof[] {
  const groups = Map.groupBy(tests, ({ file, title }) => `${file} ${plainTitle(title)}`)
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group
      if (first === undefined) return []
      const passed = group.filter(({ status }) => status === 'passed').length
      return [{ file: first.file, title: plainTitle(first.title), passed, total: group.length }]
    })
    .sort((a, b) => compare(a.file, b.file) || compare(a.title, b.title))
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function stateOf(proofs: readonly Proof[], exception: Exception | null): Verdict['state'] {
  if (proofs.length > 0) return proofs.every(({ passed, total }) => passed === total) ? 'proven' : 'failed'
  return exception === null ? 'missing' : 'excepted'
}

function problemOf({ id, says, proofs, state, exception }: Verdict): readonly string[] {
  const problems: string[] = []
  if (state === 'missing') problems.push(`${id} has no test: ${says}`)
  for (const { file, title, passed, total } of proofs) {
    if (passed < total) problems.push(`${id} is claimed by a test that did not pass: ${file}: ${title}`)
  }
  if (state === 'proven' && exception !== null) {
    problems.push(`${id} is proven: take its line out of test/parity/exceptions.ts`)
  }
  return problems
}

function unknownTag(id: string, tests: readonly ReportedTest[]): string {
  const [first] = tests
  return `[${id}] names no behaviour: ${first?.file ?? ''}: ${first?.title ?? ''}`
}
