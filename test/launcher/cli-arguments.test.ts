import { expect, test } from 'vitest'
import { cliArguments, nodeFlags, runnerFlags } from '../../bin/launcher/cli.mjs'

test('a runner has more room for what is new than other commands', () => {
  const runner = cliArguments(['runner', '--store', 'redis://127.0.0.1'])
  const flags = [...nodeFlags, ...runnerFlags]
  expect(runner.slice(0, flags.length)).toEqual(flags)
  expect(runner.slice(-3)).toEqual(['runner', '--store', 'redis://127.0.0.1'])
  expect(cliArguments(['run', 'runner']).filter((flag: string) => runnerFlags.includes(flag))).toEqual([])
})
