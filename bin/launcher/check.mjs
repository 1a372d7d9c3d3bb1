/** `npm run check`: everything that finds a mistake in under a minute. */
import { cliArguments } from './cli.mjs'
import { at } from './paths.mjs'
import { runCaptured, toolEnv } from './run.mjs'
import { runTwoAtATime, summarize } from './stages.mjs'
import { runVitest } from './vitest.mjs'

const lintedFolders = ['src-engine', 'src-main', 'src-renderer', 'test', 'bench', 'bin']

/**
 * A stage that runs one of the tools by its script (not by npm's shim), so that the chosen Node runs it.
 * @param {string} node
 * @param {{ name: string, script: string, args: readonly string[] }} tool script: below node_modules
 */
const toolStage = (node, { name, script, args }) => ({
  name,
  run: () => runCaptured(node, [at('node_modules', script), ...args], { env: toolEnv(node) }),
})

/**
 * The checks that need no test runner, slowest first.
 * @param {string} node
 */
export function runStaticChecks(node) {
  return runTwoAtATime([
    toolStage(node, { name: 'types (tsc)', script: 'typescript/bin/tsc', args: ['-b'] }),
    toolStage(node, {
      name: 'lint (oxlint)',
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
