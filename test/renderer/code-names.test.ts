/** What completion offers in the code of a JavaScript step, of what the step hands to it. */

import { runInNewContext } from 'node:vm'
import { CompletionContext } from '@codemirror/autocomplete'
import { javascript } from '@codemirror/lang-javascript'
import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import { guestContext } from '../../src-engine/tasks/javascript/guest-context.ts'
import { codeNamesAt, secretsHanded } from '../../src-renderer/forms/code-names.ts'
import type { CompletionMeans } from '../../src-renderer/forms/completion.ts'
import { codeCompletion } from '../../src-renderer/forms/widgets/code-completion.ts'
import { handedWords } from '../../src-renderer/text/handed-words.ts'
import { chain } from './factories.ts'

const labels = (line: string, secrets: readonly string[] = []) =>
  codeNamesAt(line, secrets)?.options.map(({ label }) => label) ?? null

test.for<[string, readonly string[] | null]>([
  ['ctx.', ['log', 'secrets', 'signal', 'idempotencyKey', 'attempt']],
  ['ctx?.s', ['secrets', 'signal']],
  ['if (ctx.signal.a', ['aborted', 'addEventListener']],
  ['fetch(ctx.secrets.', ['SHOP_TOKEN', 'OTHER']],
  ['ctx.secrets.SH', ['SHOP_TOKEN']],
  ['return inp', ['input']],
  ['c', ['ctx']],
  ['ctx', null],
  ['my.ctx.', null],
  ['myctx.', null],
  ['ctx.log.', null],
  ['ctx.toString.', null],
  ['return ', null],
  ['12', null],
])('at the end of “%s” stands one of %j', ([line, expected]) => {
  expect(labels(line, ['SHOP_TOKEN', 'with space', 'OTHER'])).toEqual(expected)
})

test('each comes with its type and with what it is for', () => {
  expect(codeNamesAt('  ctx.id', [])).toEqual({
    from: 6,
    options: [
      {
        label: 'idempotencyKey',
        detail: 'string',
        type: 'property',
        info: expect.stringContaining('The same in each attempt'),
      },
    ],
  })
  expect(codeNamesAt('ctx.l', [])?.options).toMatchObject([{ type: 'method', detail: '(...values) => void' }])
  expect(codeNamesAt('ru', [])?.options).toMatchObject([{ type: 'variable' }])
})

test('what is offered of ctx is all that code finds there', () => {
  const given = { secrets: { A: 'x' }, idempotencyKey: 'k', attempt: 1 }
  const { withContext } = runInNewContext(guestContext, {
    __ctx: JSON.stringify(given),
    __listens: () => undefined,
    console: { log: () => undefined },
  }) as { readonly withContext: (code: (...handed: readonly object[]) => unknown) => () => unknown }
  const found = withContext((...handed) => {
    const [, , , ctx] = handed
    const { signal } = ctx as { readonly signal: object }
    return { ctx: Object.keys(ctx ?? {}), signal: Object.keys(signal) }
  })() as { readonly ctx: readonly string[]; readonly signal: readonly string[] }
  expect(Object.keys(handedWords['ctx']?.inside ?? {}).sort()).toEqual([...found.ctx].sort())
  expect(labels('ctx.signal.')?.toSorted()).toEqual([...found.signal].sort())
})

const document = chain('a', 'b')
const withSecrets = {
  ...document,
  nodes: {
    ...document.nodes,
    b: { kind: 'javascript', parameters: { secrets: { TOKEN: '{{ secrets.SHOP }}' } } },
  },
}

test('the secrets are those that the step hands in, by the names that its code sees', () => {
  expect(secretsHanded({ document: () => withSecrets, nodeId: 'b' })).toEqual(['TOKEN'])
  expect(secretsHanded({ document: () => withSecrets, nodeId: 'a' })).toEqual([])
  expect(secretsHanded({ document: () => withSecrets, nodeId: null })).toEqual([])
})

/** What the editor is told at the end of its text. */
async function offered(doc: string, node: string | null = nodeId('b')) {
  const means: CompletionMeans = {
    document: () => withSecrets,
    nodeId: node,
    secrets: () => null,
    valueOf: async (text) => (text === 'input' ? { rows: [1], 'a b': 2 } : undefined),
  }
  const state = EditorState.create({ doc, extensions: [javascript(), codeCompletion(() => means)] })
  const context = new CompletionContext(state, doc.length, false)
  const sources = state.languageDataAt<(at: CompletionContext) => unknown>('autocomplete', doc.length)
  const answers = (await Promise.all(sources.map((source) => source(context)))) as readonly ({
    readonly from: number
    readonly options: readonly { readonly label: string }[]
  } | null)[]
  const own = answers.find(
    (answer) => answer !== null && answer.options.every(({ label }) => label !== 'this'),
  )
  return own === undefined || own === null
    ? null
    : { from: own.from, labels: own.options.map(({ label }) => label) }
}

test('names and fields are offered in code, with the place that they replace', async () => {
  expect(await offered('const a = 1\nctx.secrets.')).toEqual({ from: 24, labels: ['TOKEN'] })
  expect(await offered('return input.')).toEqual({ from: 13, labels: ['rows'] })
  // oxlint-disable-next-line no-template-curly-in-string -- code of a step
  expect(await offered('return `${ctx.at')).toEqual({ from: 14, labels: ['attempt'] })
})

test.for(['// see ctx.', 'return "ctx.', 'return `ctx.', '/* input.'])(
  'in %s are words, and nothing is offered',
  async (doc) => {
    expect(await offered(doc)).toBeNull()
  },
)

test('code outside of a step is handed nothing', async () => {
  expect(await offered('ctx.', null)).toBeNull()
})
