/**
 * `node test/parity/run.ts --vitest FILE [--playwright FILE] [--output FILE]`: writes the parity report and
 * ends with code 1 when a behaviour is neither proven nor excepted, or a tag or an exception is wrong.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chapters } from './behaviours/catalogue.ts'
import { countStates, renderParity } from './document.ts'
import { exceptions } from './exceptions.ts'
import { judge } from './judge.ts'
import { readPlaywrightReport, readVitestReport } from './reports.ts'

const root = resolve(import.meta.dirname, '../..')
const { values } = parseArgs({
  options: {
    vitest: { type: 'string', default: resolve(root, '.cache/reports/vitest.json') },
    playwright: { type: 'string' },
    output: { type: 'string', default: resolve(root, 'docs/parity.md') },
  },
})

/** Judges, writes the page and tells of every problem; the exit code. */
function main(): number {
  const { vitest, playwright, output } = values
  const missing = [vitest, playwright].find((file) => file !== undefined && !existsSync(file))
  if (missing !== undefined) {
    console.error(`There is no test report ${missing}: run \`npm test\`, which ends with this check.`)
    return 2
  }
  const read = (file: string): string => readFileSync(file, 'utf8')
  const judgement = judge({
    chapters,
    exceptions,
    tests: [
      ...readVitestReport(read(vitest), root),
      ...(playwright === undefined ? [] : readPlaywrightReport(read(playwright), root)),
    ],
  })
  writeFileSync(output, renderParity(judgement))
  for (const problem of judgement.problems) console.log(problem)
  const { proven, failed, missing: untested, excepted } = countStates(judgement)
  console.log(`${proven} behaviours proven, ${failed} failed, ${untested} missing, ${excepted} excepted`)
  return judgement.problems.length === 0 ? 0 : 1
}

process.exitCode = main()
