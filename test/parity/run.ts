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

const read = (file: string): string => {
  if (existsSync(file)) return readFileSync(file, 'utf8')
  console.error(`There is no test report ${file}: run \`npm test\`, which ends with this check.`)
  process.exit(2)
}
const judgement = judge({
  chapters,
  exceptions,
  tests: [
    ...readVitestReport(read(values.vitest), root),
    ...(values.playwright === undefined ? [] : readPlaywrightReport(read(values.playwright), root)),
  ],
})
writeFileSync(values.output, renderParity(judgement))
for (const problem of judgement.problems) console.log(problem)
const { proven, failed, missing, excepted } = countStates(judgement)
console.log(`${proven} behaviours proven, ${failed} failed, ${missing} missing, ${excepted} excepted`)
process.exitCode = judgement.problems.length === 0 ? 0 : 1
