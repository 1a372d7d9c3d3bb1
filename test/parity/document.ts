/** The report as a page for people; the same tests always give the same page. */
import type { JudgedChapter, Judgement, Verdict } from './judge.ts'

const intro = `# Parity

Three systems define what this engine must do: pynenc (P), Cordum (C) and sayiir (S, and its traps T). Where they
are defective (G), what is proven is what happens instead. Each numbered behaviour is named in the title of the
tests that prove it, as in \`[P12]\`. This page is written by \`npm run parity\` from the report of those tests; it
is never edited by hand. Reasons for behaviours without a test are in \`test/parity/exceptions.ts\`.
`

/** Counts of verdicts by state. */
export function countStates({ chapters }: Judgement): Readonly<Record<Verdict['state'], number>> {
  const counts = { proven: 0, failed: 0, missing: 0, excepted: 0 }
  for (const { verdicts } of chapters) for (const { state } of verdicts) counts[state] += 1
  return counts
}

/** The whole page. */
export function renderParity(judgement: Judgement): string {
  const { proven, failed, missing, excepted } = countStates(judgement)
  const summary = `${proven} proven, ${failed} failed, ${missing} missing, ${excepted} excepted.`
  return [intro, `${summary}\n`, ...judgement.chapters.map(renderChapter)].join('\n')
}

function renderChapter({ title, verdicts }: JudgedChapter): string {
  const rows = verdicts.map(renderRow)
  return `## ${title}\n\n| id | behaviour | tests | passed |\n|---|---|---|---|\n${rows.join('\n')}\n`
}

function renderRow({ id, says, proofs, exception, state }: Verdict): string {
  if (state === 'excepted' && exception !== null) {
    return `| ${id} | ${cell(says)} | ${exception.kind}: ${cell(exception.reason)} | — |`
  }
  if (state === 'missing') return `| ${id} | ${cell(says)} | none | no |`
  const tests = proofs.map(({ file, title }) => `${cell(title)} (\`${file}\`)`).join('<br>')
  const passed = proofs.reduce((sum, proof) => sum + proof.passed, 0)
  const total = proofs.reduce((sum, proof) => sum + proof.total, 0)
  return `| ${id} | ${cell(says)} | ${tests} | ${passed} of ${total} |`
}

/** Text that may stand in a cell of a table. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')
}
