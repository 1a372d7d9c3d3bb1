/** A pasted curl command: what it asks for, what is a secret in it, what is told to be left out. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NodeId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { httpRequestSpec } from '../../src-engine/tasks/http-request/spec.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { pasteText } from '../../src-renderer/commands/app/edit-commands.ts'
import { curlRequest, withSecretTexts } from '../../src-renderer/curl/curl-request.ts'
import { beginCurl, secretNameFor, takeCurl } from '../../src-renderer/curl/paste-curl.ts'
import { shellWords } from '../../src-renderer/curl/shell-words.ts'
import { openInTab } from '../../src-renderer/state/tabs/tabs.ts'
import { newMachine, openPage } from './fake-designer.ts'

const url = 'https://api.example.com/orders'

describe('the words of a shell', () => {
  test('what was quoted comes back as it was', () => {
    const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`
    const words = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 })
    fc.assert(
      fc.property(words, (given) => {
        // A backslash before the end of a line joins lines, wherever it stands.
        const clean = given.map((word) => word.replaceAll(/[\\\r]/g, ''))
        expect(shellWords(clean.map(quoted).join(' '))).toEqual({ words: clean, unknown: [], rest: '' })
      }),
    )
  })

  test.for<[string, readonly string[]]>([
    [String.raw`a\ b "c \"d\" \n" 'e"f'g`, ['a b', String.raw`c "d" \n`, 'e"fg']],
    [String.raw`$'it\'s \u00e9 \x41\101\n'`, ["it's é AA\n"]],
    ['a \\\n  b \\\r\n c', ['a', 'b', 'c']],
    [`'' ""`, ['', '']],
  ])('%s', ([text, words]) => {
    expect(shellWords(text)?.words).toEqual(words)
  })

  test('what only a shell knows, and what comes after', () => {
    expect(shellWords('a $B "${C}/$(date)" `d` \'$E\' | jq . > f')).toEqual({
      words: ['a', '$B', '${C}/$(date)', '`d`', '$E'],
      unknown: ['$B', '${C}', '$(date)', '`d`'],
      rest: '| jq . > f',
    })
  })

  test.for([`'a`, `"a`, `$'a`])('%s is never closed', (text) => {
    expect(shellWords(text)).toBeNull()
  })
})

describe('what a command asks for', () => {
  test.for<[string, JsonObject]>([
    ['', { method: 'GET', url }],
    ['-X delete', { method: 'DELETE', url }],
    ['-I -m 2.5', { method: 'HEAD', url, timeoutMs: 2_500 }],
    [
      `-H 'X-A:  b' -A me -e http://r/`,
      { method: 'GET', url, headers: { 'X-A': 'b', 'User-Agent': 'me', Referer: 'http://r/' } },
    ],
    [
      `-H 'content-type: application/json; charset=utf-8' -d '{"a":[1,"{{b}}"]}'`,
      { method: 'POST', url, body: { kind: 'json', value: { a: [1, '{{ "{{" }}b}}'] } } },
    ],
    [
      `--json '{"n":1234567890123456789}'`,
      {
        method: 'POST',
        url,
        headers: { Accept: 'application/json' },
        body: { kind: 'text', text: '{"n":1234567890123456789}', contentType: 'application/json' },
      },
    ],
    [
      `-d a=1 --data-urlencode 'b=x y&z'`,
      { method: 'POST', url, body: { kind: 'form', fields: { a: '1', b: 'x y&z' } } },
    ],
    [
      '-d a=1 -d a=2',
      {
        method: 'POST',
        url,
        body: { kind: 'text', text: 'a=1&a=2', contentType: 'application/x-www-form-urlencoded' },
      },
    ],
    [
      `-XPUT -H 'Content-Type: text/csv' --data-binary 'a,b'`,
      { method: 'PUT', url, body: { kind: 'text', text: 'a,b', contentType: 'text/csv' } },
    ],
    ['-G -d q=1 --data-urlencode "r=a b"', { method: 'GET', url: `${url}?q=1&r=a%20b` }],
    ['-sSLv --compressed -w "%{http_code}" --connect-timeout 3', { method: 'GET', url }],
  ])('%s', ([options, parameters]) => {
    const request = curlRequest(`curl ${options} ${url}`)
    expect(request).toEqual({ parameters, secrets: [], left: [] })
    expect(httpRequestSpec.parameters.safeParse(request?.parameters).success).toBe(true)
  })

  test('an address without a protocol, after a prompt', () => {
    expect(curlRequest('  $ curl example.com')?.parameters['url']).toBe('http://example.com')
  })

  test.for(['curling x', 'echo curl x', 'curl', 'curl -v', `curl 'https://a`, 'https://a'])(
    '%s is none',
    (text) => {
      expect(curlRequest(text)).toBeNull()
    },
  )
})

describe('what proves who asks', () => {
  test.for<[string, JsonObject, readonly string[]]>([
    ['-u me:pa:ss', { auth: { kind: 'basic', username: 'me', password: '<0>' } }, ['pa:ss']],
    [`-H 'Authorization: Bearer abc.d'`, { auth: { kind: 'bearer', token: '<0>' } }, ['abc.d']],
    [
      `-H 'authorization: basic bWU6aHVzaA=='`,
      { auth: { kind: 'basic', username: 'me', password: '<0>' } },
      ['hush'],
    ],
    ['--oauth2-bearer abcd', { auth: { kind: 'bearer', token: '<0>' } }, ['abcd']],
    [
      `-H 'X-Api-Key: k1' -H 'X-Other-Token: k2'`,
      {
        auth: { kind: 'api-key', placement: 'header', name: 'X-Api-Key', value: '<0>' },
        headers: { 'X-Other-Token': '<1>' },
      },
      ['k1', 'k2'],
    ],
    [`-b 'sid=4711'`, { headers: { Cookie: '<0>' } }, ['sid=4711']],
    [`-H 'Authorization: Digest x'`, { headers: { Authorization: '<0>' } }, ['Digest x']],
  ])('%s', ([options, parameters, values]) => {
    const request = curlRequest(`curl ${url} ${options}`)
    if (request === null) throw new Error('it is a command')
    expect(request.secrets.map(({ value }) => value)).toEqual(values)
    // It is nowhere but in the list.
    for (const value of values) expect(JSON.stringify(request.parameters)).not.toContain(value)
    const filled = withSecretTexts(request, (_secret, index) => `<${index}>`)
    expect(filled).toEqual({ method: 'GET', url, ...parameters })
    expect(httpRequestSpec.parameters.safeParse(filled).success).toBe(true)
  })

  test('in the address', () => {
    expect(curlRequest('curl https://me:p%40ss@a.example/x')).toMatchObject({
      parameters: { url: 'https://a.example/x', auth: { kind: 'basic', username: 'me' } },
      secrets: [{ value: 'p@ss' }],
    })
    expect(curlRequest('curl "https://a.example/x?b=1&api_key=k4711"')).toMatchObject({
      parameters: {
        url: 'https://a.example/x?b=1',
        auth: { kind: 'api-key', placement: 'query', name: 'api_key' },
      },
      secrets: [{ value: 'k4711', path: ['auth', 'value'] }],
    })
    expect(curlRequest('curl -u a:b "https://a.example/x?token=k4711"')?.left).toEqual([
      'the secret “token” in the address: it stands there in plain text, beside another way to sign in',
    ])
  })
})

test.for<[string, readonly string[]]>([
  ['-k -o out -F a=@b', ['the option -k', 'the option -o', 'the option -F']],
  ['--proxy http://u:p@x --nobody-knows', ['the option --proxy', 'the option --nobody-knows']],
  ['-d @file -X POST', ['the file that --data names']],
  ['-X PURGE', ['the method PURGE']],
  ['-X GET -d a=1', ['the body: a GET request is sent without one']],
  ['-H "X-A: $B"', ['the value of $B: it stands there as it was written']],
  ['https://b.example/ | jq .', ['all addresses but the first', 'what comes after the command: | jq .']],
])('what can’t be taken is told, without its value: %s', ([options, left]) => {
  expect(curlRequest(`curl ${url} ${options}`)?.left).toEqual(left)
})

const empty = {
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'w', title: 'W', edges: {} },
  nodes: {
    ask: { kind: 'http-request', parameters: { url: 'x', query: { a: 1 }, timeoutMs: 5 } },
    log: { kind: 'log' },
  },
} as unknown as WorkflowDocument

function scene(refusal: Error | null = null) {
  const machine = newMachine()
  const kept: JsonObject[] = []
  Object.assign(machine.methods, {
    'secrets.set': (change: JsonObject) => {
      if (refusal !== null) throw refusal
      kept.push(change)
      return {}
    },
    'secrets.list': () => ({ secrets: [], vault: { problem: null } }),
    'documents.standing': () => ({ status: 'trusted' }),
  })
  const { designer } = openPage(machine, taskSpecsByKind)
  openInTab(designer, { document: empty, path: '/w.json', etag: 'e1' }, { isSaved: true })
  const nodes = () => designer.document.getState().history.document.nodes
  const asked = () => designer.view.getState().pastedCurl
  return { designer, kept, nodes, asked }
}
const ask = 'ask' as NodeId

describe('pasted', () => {
  test('onto the canvas it is a new step, at once and as one step to undo', () => {
    const { designer, nodes, asked } = scene()
    expect(pasteText(designer, `curl -X PUT ${url}`)).toBe(true)
    expect(asked()).toBeNull()
    expect(Object.values(nodes()).at(-1)).toMatchObject({
      kind: 'http-request',
      parameters: { method: 'PUT', url },
    })
    expect(Object.keys(nodes())).toHaveLength(3)
    designer.document.getState().undo()
    expect(nodes()).toEqual(empty.nodes)
  })

  test('into a step it replaces what is asked for, and keeps how long that may take', () => {
    const { designer, nodes } = scene()
    expect(beginCurl(designer, `curl ${url} -d a=1`, ask)).toBe(true)
    const body = { kind: 'form', fields: { a: '1' } }
    expect(nodes()[ask]?.parameters).toEqual({ method: 'POST', url, body, timeoutMs: 5 })
    designer.document.getState().undo()
    expect(nodes()).toEqual(empty.nodes)
  })

  test('other texts and steps of other kinds don’t take it', () => {
    const { designer, nodes } = scene()
    expect(pasteText(designer, 'https://example.com')).toBe(false)
    expect(beginCurl(designer, `curl ${url}`, 'log' as NodeId)).toBe(false)
    expect(nodes()).toEqual(empty.nodes)
  })

  test('a secret is asked about before anything is written, and the document names it', async () => {
    const { designer, kept, nodes, asked } = scene()
    expect(beginCurl(designer, `curl ${url} -u me:s3cret -H 'X-Token: t0ken'`, ask)).toBe(true)
    expect(nodes()).toEqual(empty.nodes)
    const pasted = asked()
    if (pasted === null) throw new Error('it is asked about')
    await takeCurl(designer, pasted, ['SHOP', null])
    expect(kept).toEqual([
      {
        name: 'SHOP',
        value: 's3cret',
        kind: 'password',
        hosts: ['api.example.com'],
        kinds: ['http-request'],
      },
    ])
    expect(nodes()[ask]?.parameters).toEqual({
      ...{ method: 'GET', url, timeoutMs: 5, headers: { 'X-Token': 't0ken' } },
      auth: { kind: 'basic', username: 'me', password: '{{ secrets.SHOP }}' },
    })
  })

  test('where the vault refuses, nothing is written', async () => {
    const { designer, nodes, asked } = scene(new Error('too short'))
    beginCurl(designer, `curl ${url} -u me:abc`, ask)
    const pasted = asked()
    if (pasted === null) throw new Error('it is asked about')
    await expect(takeCurl(designer, pasted, ['SHOP'])).rejects.toThrow('too short')
    expect(nodes()).toEqual(empty.nodes)
  })
})

test.for<[string | null, readonly string[], string]>([
  ['api.example.com:8443', [], 'API_EXAMPLE_COM_8443_TOKEN'],
  ['127.0.0.1', [], 'HOST_127_0_0_1_TOKEN'],
  [null, ['REQUEST_TOKEN'], 'REQUEST_TOKEN_2'],
])('a name for a secret of %s', ([host, taken, name]) => {
  expect(secretNameFor(host, 'token', new Set(taken))).toBe(name)
})
