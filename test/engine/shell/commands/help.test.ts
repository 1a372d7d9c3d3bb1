/** What the program says of itself: all of its commands, a line each, where a person looks for them. */

import { expect, test } from 'vitest'
import { commandLoaders } from '../../../../src-engine/shell/commands/catalogue.ts'
import { commandGroups, printHelp } from '../../../../src-engine/shell/commands/help.ts'
import { createTerminal } from '../../../../src-engine/shell/terminal.ts'

test('each command stands in one group', () => {
  const named = commandGroups.flatMap(([, names]) => names)
  expect(named.toSorted()).toEqual(Object.keys(commandLoaders).toSorted())
})

test('a command has a line', async () => {
  let said = ''
  const out = { write: (text: string) => (said += text) }
  await printHelp(createTerminal(out, out, {}))
  const lines = said.split('\n')
  for (const name of Object.keys(commandLoaders))
    expect(lines.filter((line) => line.startsWith(`  ${name} `))).toHaveLength(1)
  // With the options it is two screens of a terminal at most.
  expect(lines.length).toBeLessThan(70)
})
