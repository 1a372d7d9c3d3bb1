/** Colours of scripts: by a table, over several lines where a text goes over several. */

import { getIndentation, syntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import { isScript, scriptLanguage } from '../../src-renderer/forms/widgets/script-language.ts'

const stateOf = (language: string, doc: string) =>
  EditorState.create({ doc, extensions: [scriptLanguage(language)] })

/** `style: text` of all that is coloured. */
function coloured(language: string, doc: string): readonly string[] {
  const found: string[] = []
  syntaxTree(stateOf(language, doc)).iterate({
    enter({ name, from, to }) {
      if (name !== 'Document') found.push(`${name}: ${doc.slice(from, to)}`)
    },
  })
  return found
}

test.for<[string, string, readonly string[]]>([
  [
    'python',
    'def f(x): # why\n  return "a\\"b" + 1_000',
    [
      'keyword: def',
      'variableName.function: f',
      'comment: # why',
      'keyword: return',
      'string: "a\\"b"',
      'number: 1_000',
    ],
  ],
  ['python', 's = """one\ntwo""" if None', ['string: """one', 'string: two"""', 'keyword: if', 'atom: None']],
  ['python', "s = 'open\nnext", ["string: 'open"]],
  [
    'shell',
    'if x "$a\nb" $HOME ${x}',
    ['keyword: if', 'string: "$a', 'string: b"', 'propertyName: $HOME', 'propertyName: ${x}'],
  ],
  ['powershell', 'IF ($true) { $a }', ['keyword: IF', 'atom: $true', 'propertyName: $a']],
  ['lua', '-- what\nlocal a = KEYS', ['comment: -- what', 'keyword: local', 'atom: KEYS']],
])('%s: %j', ([language, doc, expected]) => {
  expect(coloured(language, doc)).toEqual(expected)
})

test('after a colon a line of Python goes in, and else stays where the one before was', () => {
  const indent = (doc: string) => getIndentation(stateOf('python', doc), doc.length)
  expect(indent('if x:\n')).toBe(4)
  expect(indent('if x:\n    y = 1\n')).toBe(4)
  expect(indent('a = b[1:2]\n')).toBe(0)
})

test('a language that nobody knows has no colours, and is no mistake', () => {
  expect(isScript('other')).toBe(false)
  expect(scriptLanguage('other')).toEqual([])
})
