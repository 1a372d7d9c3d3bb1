/** A pasted curl command: what it asks for, what is a secret in it, what is told to be left out. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NodeId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { httpRequestSpec } from '../../src-engine/tasks/http-request/spec.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { pasteText } from '../../src-renderer/commands/app/edit-commands.ts'
import { fillRequest } from '../../src-renderer/commands/change-node.ts'
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
    ['-G -d a=1 --url-query "b=x y" --url-query +c', { method: 'GET', url: `${url}?b=x%20y&c&a=1` }],
    [
      `-F who=me -F 'doc=@in/a b.pdf;type=application/pdf' --form-string 'note=@{{x;type=y'`,
      {
        method: 'POST',
        url,
        body: {
          kind: 'multipart',
          parts: [
            { name: 'who', value: 'me' },
            { name: 'doc', file: 'in/a b.pdf', contentType: 'application/pdf' },
            { name: 'note', value: '@{{ "{{" }}x;type=y' },
          ],
        },
      },
    ],
    [
      `-H 'content-type: multipart/form-data' -F 'all=@a.txt,"b;1.txt"' -F 'text=a;b;type=text/plain'`,
      {
        method: 'POST',
        url,
        body: {
          kind: 'multipart',
          parts: [
            { name: 'all', file: 'a.txt' },
            { name: 'all', file: 'b;1.txt' },
            { name: 'text', value: 'a;b', contentType: 'text/plain' },
          ],
        },
      },
    ],
    [
      '-T out/report.csv -H "Content-Type: text/csv"',
      { method: 'PUT', url, body: { kind: 'file', file: 'out/report.csv', contentType: 'text/csv' } },
    ],
    [
      '-X POST -T a.bin',
      { method: 'POST', url, body: { kind: 'file', file: 'a.bin', contentType: 'application/octet-stream' } },
    ],
    [
      '--json @order.json',
      {
        method: 'POST',
        url,
        headers: { Accept: 'application/json' },
        body: { kind: 'file', file: 'order.json', contentType: 'application/json' },
      },
    ],
    [
      '--data-binary @a.bin -H "Content-Type: image/png"',
      { method: 'POST', url, body: { kind: 'file', file: 'a.bin', contentType: 'image/png' } },
    ],
    ['-o all.zip', { method: 'GET', url, response: 'file', file: 'all.zip' }],
    ['-o /dev/null', { method: 'GET', url }],
    ['-x proxy.example:3128', { method: 'GET', url, proxy: 'http://proxy.example:3128' }],
    ['--proxy https://proxy.example/', { method: 'GET', url, proxy: 'https://proxy.example:443' }],
    ['-x proxy.example -U me', { method: 'GET', url, proxy: 'http://proxy.example:1080', proxyUser: 'me' }],
    ['-x ""', { method: 'GET', url }],
    ['-sSLv --compressed -w "%{http_code}" --connect-timeout 3', { method: 'GET', url }],
  ])('%s', ([options, parameters]) => {
    const request = curlRequest(`curl ${options} ${url}`)
    expect(request).toEqual({ parameters, secrets: [], left: [] })
    expect(httpRequestSpec.parameters.safeParse(request?.parameters).success).toBe(true)
  })

  test('an address that ends with a slash gets the name of the file that goes there', () => {
    const request = curlRequest('curl -T "out/my report.csv" https://files.example/in/')
    expect(request?.parameters['url']).toBe('https://files.example/in/my%20report.csv')
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

  test('the password of the proxy is the proxy’s, and nobody else’s', () => {
    for (const options of ['-x http://me:pa%40ss@p.example:3128', '-x p.example:3128 -U me:pa@ss']) {
      const request = curlRequest(`curl ${options} ${url}`)
      if (request === null) throw new Error('it is a command')
      const proxy = { proxy: 'http://p.example:3128', proxyUser: 'me' }
      expect(request).toMatchObject({
        parameters: { method: 'GET', url, ...proxy },
        secrets: [{ value: 'pa@ss', kind: 'password', host: 'p.example:3128' }],
        left: [],
      })
      expect(JSON.stringify(request.parameters)).not.toContain('pa')
      const filled = withSecretTexts(request, () => '<0>')
      expect(filled).toEqual({ method: 'GET', url, ...proxy, proxyPassword: '<0>' })
      expect(httpRequestSpec.parameters.safeParse(filled).success).toBe(true)
    }
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
  [
    '--proxy socks5://u:p@x --nobody-knows',
    ['the option --nobody-knows', 'the proxy: socks5 is not spoken, only http and https are'],
  ],
  ['-k', ['--insecure: certificates are always checked; name a certificate authority of your own instead']],
  [
    '--cert me.pem:pa55 --key k.pem --cacert ca.pem',
    [
      'the file that --cert names: paste its text into Connection → Client certificate',
      'the file that --key names: paste its text into Connection → Key of the certificate',
      'the file that --cacert names: paste its text into Connection → Certificate authority',
    ],
  ],
  ['-u me', ['the password, which curl would ask for']],
  ['-d @file', ['that --data leaves line breaks of the file out: they are sent along']],
  ['-d @file -d a=1', ['the file that --data names']],
  ['-d @- -X POST', ['the file that --data names']],
  ['-G -d @file', ['the file that --data names']],
  ['-F "a=<text.txt" -F b=1', ['the file that --form a names']],
  ['-F "a=@x;filename=y.txt"', ['the filename of the form field a']],
  ['-F nothing -F b=1', ['the form field nothing: it has no name']],
  ['-F a=1 -d b=2', ['other data: a request has one body']],
  ['-F a=1 -H "Content-Type: text/csv"', ['the content type text/csv: a form with files has one of its own']],
  ['-T -', ['the file that --upload-file names']],
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

  test('the password of a proxy is kept for the proxy', async () => {
    const { designer, kept, nodes, asked } = scene()
    beginCurl(designer, `curl -x http://me:hush@p.example:3128 ${url}`, ask)
    const pasted = asked()
    if (pasted === null) throw new Error('it is asked about')
    await takeCurl(designer, pasted, ['PROXY'])
    expect(kept).toMatchObject([{ name: 'PROXY', value: 'hush', hosts: ['p.example:3128'] }])
    expect(nodes()[ask]?.parameters).toMatchObject({
      ...{ proxy: 'http://p.example:3128', proxyUser: 'me', proxyPassword: '{{ secrets.PROXY }}' },
    })
  })

  test('another proxy doesn’t get what was meant for the one before', () => {
    const { designer, nodes } = scene()
    const proxied = { proxyUser: 'me', proxyPassword: '{{ secrets.OLD }}', proxy: 'http://old.example:1' }
    designer.document.getState().edit(fillRequest(ask, { url, ...proxied }))
    expect(beginCurl(designer, `curl -x http://p.example:3128 ${url}`, ask)).toBe(true)
    const after = { method: 'GET', url, proxy: 'http://p.example:3128', timeoutMs: 5 }
    expect(nodes()[ask]?.parameters).toEqual(after)
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
