/** Secrets that people wrote into a workflow: all are found wherever they stand, and none is in what others get. */

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { canonicalDocument } from '../../../src-engine/model/canonical-document.ts'
import { fieldPathText } from '../../../src-engine/model/field-hints.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { leftOutMark, withoutSecrets } from '../../../src-engine/model/plain-secrets.ts'
import { readDocument } from '../../../src-engine/model/read-document.ts'
import { validateWorkflow } from '../../../src-engine/model/validate-workflow.ts'
import { documentOf, specOf, specsOf } from './workflow-fixture.ts'

const specs = specsOf(
  specOf({
    kind: 'call',
    parameters: z.object({
      url: z.string().default('').meta({ title: 'Address' }),
      token: z.string().default('').meta({ title: 'Token', secret: 'expected' }),
      caller: z.string().default('').meta({ title: 'Secret of callers', widget: 'secret-name' }),
      headers: z.record(z.string(), z.string()).default({}).meta({ title: 'Headers', secret: 'allowed' }),
      code: z.string().default('').meta({ title: 'Code', expressions: false }),
    }),
  }),
)
const github = `ghp_${'a1'.repeat(18)}`
const keyText = '-----BEGIN PRIVATE KEY-----\nMIIEvQ\nIBADAN\n-----END PRIVATE KEY-----'

const nodeOf = (parts: JsonObject) => documentOf({ nodes: { ask_shop: { kind: 'call', ...parts } } })

function found(document: ReturnType<typeof documentOf>): readonly string[] {
  return withoutSecrets(document, specs).found.map(
    ({ path, slot, title }) => `${fieldPathText(path)} · ${title} → ${slot}`,
  )
}

describe('where they stand', () => {
  test.for<[string, JsonObject, string]>([
    ['a field for one', { parameters: { token: 'hunter2' } }, 'parameters.token · Token → ASK_SHOP_TOKEN'],
    [
      'a header with such a name',
      { parameters: { headers: { 'X-Api-Key': 'k1' } } },
      'parameters.headers.X-Api-Key · X-Api-Key → ASK_SHOP_X_API_KEY',
    ],
    [
      'a header with another name, by its look',
      { parameters: { headers: { Link: `Bearer ${github}` } } },
      'parameters.headers.Link · GitHub token → ASK_SHOP_LINK',
    ],
    [
      'an address, where no secret may be named',
      { parameters: { url: 'postgres://app:hunter2@db/x' } },
      'parameters.url · Address with a password → null',
    ],
    ['code', { parameters: { code: `const key = '${github}'` } }, 'parameters.code · GitHub token → null'],
    [
      'what undoes the step',
      { compensation: { task: { kind: 'call', parameters: { token: 'hunter2' } } } },
      'compensation.task.parameters.token · Token → ASK_SHOP_TOKEN',
    ],
    [
      'a variable of what undoes',
      { compensation: { env: { DB_PASSWORD: 'hunter2' }, task: { kind: 'call', parameters: {} } } },
      'compensation.env.DB_PASSWORD · DB_PASSWORD → null',
    ],
    [
      'what it gives in test runs',
      { mocks: { usual: { output: { list: [{ session_id: 'abc123' }] } } } },
      'mocks.usual.output.list[0].session_id · session_id → null',
    ],
    [
      'a kind that nobody knows',
      { kind: 'x', parameters: { password: 'a' } },
      'parameters.password · password → ASK_SHOP_PASSWORD',
    ],
  ])('%s', ([, parts, place]) => {
    expect(found(nodeOf(parts))).toEqual([`nodes.ask_shop.${place}`])
  })

  test('a step whose id is a word of documents is searched like any other', () => {
    const mocks = { usual: { output: { token: 'abc' } } }
    const document = documentOf({ nodes: { triggers: { kind: 'call', mocks } } })
    expect(found(document)).toEqual(['nodes.triggers.mocks.usual.output.token · token → null'])
  })

  test('variables, forms and notes too', () => {
    const document = documentOf({
      variables: { shop: { accessToken: 'abcdef' } },
      input: { type: 'object', properties: { password: { type: 'string', default: 'hunter2' } } },
      notes: { n: { text: `Use ${github} for now` } },
    })
    expect(found(document).toSorted()).toEqual([
      'input.properties.password.default · password → null',
      'notes.n.text · GitHub token → null',
      'variables.shop.accessToken · accessToken → null',
    ])
  })

  test('a workflow without any is handed on as it is', () => {
    const document = documentOf({
      nodes: {
        a: { kind: 'call', parameters: { token: '{{ secrets.A }}', caller: 'A', url: 'https://x/y' } },
        token: { kind: 'call', parameters: { headers: { Accept: 'text/html' } } },
      },
      triggers: { t: { kind: 'webhook', parameters: { auth: { kind: 'github', secret: 'A' } } } },
      input: { type: 'object', required: ['password'], properties: { password: { type: 'string' } } },
    })
    const given = withoutSecrets(document, specs)
    expect(given.found).toEqual([])
    expect(given.document).toBe(document)
  })
})

describe('without them', () => {
  const document = documentOf({
    nodes: {
      a: {
        kind: 'call',
        title: 'Ask',
        parameters: {
          token: 'hunter2',
          headers: { Link: `Bearer ${github}`, Accept: 'a/b' },
          url: 'https://x',
        },
        mocks: { usual: { output: { token: 'hunter2', total: 4 } } },
        future: { kept: true },
      },
      b: { kind: 'call', parameters: { token: 'hunter2', headers: { Cookie: '{{ secrets.B_COOKIE }}' } } },
      c: { kind: 'call', parameters: { code: `x\n${keyText}\ny`, headers: { Cookie: 'v=1' } } },
    },
    notes: { n: { text: keyText } },
    layout: { nodes: { a: { x: 12, y: 24 } } },
  })
  const { document: clean } = withoutSecrets(document, specs)
  const text = canonicalDocument(clean)

  test('no value is left of any, not a line of a key', () => {
    expect(canonicalDocument(document)).toMatch(/hunter2[\s\S]*IBADAN/)
    for (const value of ['hunter2', github, 'MIIEvQ', 'IBADAN', 'PRIVATE KEY', 'v=1'])
      expect(text).not.toContain(value)
  })

  test('the same value has one name, and no name is taken twice', () => {
    expect(clean.nodes).toMatchObject({
      a: { parameters: { token: '{{ secrets.A_TOKEN }}', headers: { Link: 'Bearer {{ secrets.A_LINK }}' } } },
      b: { parameters: { token: '{{ secrets.A_TOKEN }}' } },
      c: { parameters: { headers: { Cookie: '{{ secrets.C_COOKIE }}' }, code: `x\n${leftOutMark}\ny` } },
    })
    const taken = withoutSecrets(
      documentOf({
        nodes: {
          a: { kind: 'call', parameters: { token: 'one', headers: { Via: '{{ secrets.A_TOKEN }}' } } },
        },
      }),
      specs,
    )
    expect(taken.found.map(({ slot }) => slot)).toEqual(['A_TOKEN_2'])
  })

  test('all else is as it was, and it can be opened and searched again to no end', () => {
    const { nodes, layout } = clean
    expect(layout).toEqual(document.layout)
    expect(nodes).toMatchObject({
      a: {
        title: 'Ask',
        parameters: { headers: { Accept: 'a/b' }, url: 'https://x' },
        mocks: { usual: { output: { total: 4, token: leftOutMark } } },
        future: { kept: true },
      },
      b: { parameters: { headers: { Cookie: '{{ secrets.B_COOKIE }}' } } },
    })
    const read = readDocument(text)
    expect(read.ok && canonicalDocument(read.value.document)).toBe(text)
    expect(withoutSecrets(clean, specs).found).toEqual([])
    const codes = validateWorkflow(clean, specs).map(({ code }) => code)
    expect(codes.filter((code) => code.includes('secret'))).toEqual([])
  })
})
