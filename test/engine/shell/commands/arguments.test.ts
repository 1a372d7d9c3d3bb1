import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../../../src-engine/shell/commands/arguments.ts'

const command = {
  usage: 'boxes list [--limit N]',
  options: { limit: { type: 'string' }, all: { type: 'boolean' } },
} as const

describe('the arguments of a command', () => {
  it('are options, what stands for itself, and settings', () => {
    const given = ['list', '--limit', '5', '--all', '--set', 'a=1', '--set', 'b=2', '--json']
    expect(parseArguments(command, given)).toEqual({
      positionals: ['list'],
      values: { limit: '5', all: true, json: true },
      sets: ['a=1', 'b=2'],
    })
  })

  it('may be numbers below zero, in every place', () => {
    const { positionals, values } = parseArguments(command, ['limit', '-1', '--limit', '-2.5', '-.5'])
    expect(positionals).toEqual(['limit', '-1', '-.5'])
    expect(values).toEqual({ limit: '-2.5' })
  })

  it.for([
    [['--limit'], '“--limit” wants a value.'],
    [['--limit', '--all'], '“--limit” wants a value.'],
    [['--colour', 'red'], "Unknown option '--colour'."],
    [['-x'], "Unknown option '-x'."],
  ] satisfies [string[], string][])('%j is answered in one sentence, with the usage', ([given, message]) => {
    expect(() => parseArguments(command, given)).toThrow(
      expect.objectContaining({ code: 'bad_request', message, hint: `Usage: sagasmith ${command.usage}` }),
    )
  })
})
