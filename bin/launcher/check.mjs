/** `npm run check`: everything that finds a mistake in under a minute. */
import { cpus } from 'node:os'
import { cliArguments } from './cli.mjs'
import { at } from './paths.mjs'
import { runCaptured, toolEnv } from './run.mjs'
import { runTwoAtATime, summarize } from './stages.mjs'
import { runVitest } from './vitest.mjs'

const lintedFolders = ['src-engine', 'src-main', 'src-renderer', 'test', 'bench', 'bin']

/**
 * What types and lint, which are written in Go and run beside each other, are given of a machine with so many cores: half
 * of them each, for each of their threads learns all types anew; and garbage that is swept a quarter as often.
 * @param {number} cores
 */
export function checkersShare(cores) {
  const threads = Math.max(1, Math.floor(cores / 2))
  return {
    env: { GOMAXPROCS: String(threads), GOGC: '400' },
    // With as many threads as it likes even one core has four sets of types.
    typesArgs: threads === 1 ? ['-b', '--singleThreaded'] : ['-b'],
  }
}

/**
 * A stage that runs one of the tools by its script (not by npm's shim), so that the chosen Node runs it.
 * @param {string} node
 * @param {{ name: string, script: string, args: readonly string[], env?: NodeJS.ProcessEnv }} tool script: below
 * node_modules; env: unless the environment says otherwise
 */
const toolStage = (node, { name, script, args, env = {} }) => ({
  name,
  run: () => runCaptured(node, [at('node_modules', script), ...args], { env: { ...env, ...toolEnv(node) } }),
})

/**
 * The checks that need no test runner, slowest first.
 * @param {string} node
 */
export function runStaticChecks(node) {
  const { env, typesArgs } = checkersShare(cpus().length)
  return runTwoAtATime([
    toolStage(node, { name: 'types (tsc)', script: 'typescript/bin/tsc', args: typesArgs, env }),
    toolStage(node, {
      name: 'lint (oxlint)',
      env,
      script: 'oxlint/bin/oxlint',
      args: ['--type-aware', '--deny-warnings', ...lintedFolders],
    }),
    toolStage(node, {
      name: 'dead code (knip)',
      script: 'knip/bin/knip.js',
      args: ['--no-progress', '--no-config-hints'],
    }),
    toolStage(node, {
      name: 'format (biome)',
      script: '@biomejs/biome/bin/biome',
      args: ['ci', '--colors=off', '--reporter=summary'],
    }),
    {
      name: 'generated files',
      run: async () =>
        runCaptured(node, cliArguments(['status', 'render', '--check']), { env: toolEnv(node) }),
    },
  ])
}

/**
 * @param {string} node
 */
export async function check(node) {
  const results = await runStaticChecks(node)
  results.push(await runVitest(node, ['unit', 'conformance']))
  return summarize(results)
}
