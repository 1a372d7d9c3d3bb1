import { describe, expect, it } from 'vitest'
import { actionOf } from '../../../../src-engine/shell/commands/action.ts'

const actions = { list: { args: 0 }, rename: { args: 2 } }
const usage = 'boxes list | rename NAME NEW'

describe('the action that the first word names', () => {
  it('comes with the words behind it', () => {
    const chosen = actionOf(usage, actions, ['rename', 'a', 'b'])
    expect(chosen).toEqual({ word: 'rename', action: actions.rename, args: ['a', 'b'] })
  })

  it.for([[], ['sort'], ['toString'], ['list', 'more'], ['rename', 'a']])(
    '%j is answered with the usage',
    (words) => {
      expect(() => actionOf(usage, actions, words)).toThrow(
        expect.objectContaining({
          message: expect.stringContaining(`“boxes ${words[0] ?? ''}”`) as string,
          hint: `Usage: sagasmith ${usage}`,
        }),
      )
    },
  )
})
