/** The options of a curl command: those that mean something to a request, and those that don't. Pure. */

/** What an option does here. `left` is told: it can't be taken over. `silent` changes nothing of the request. */
type Meaning = 'left' | 'silent' | OptionName

export type OptionName =
  | 'request'
  | 'header'
  | 'data'
  | 'data-binary'
  | 'data-raw'
  | 'data-urlencode'
  | 'json'
  | 'user'
  | 'oauth2-bearer'
  | 'user-agent'
  | 'referer'
  | 'cookie'
  | 'get'
  | 'head'
  | 'max-time'
  | 'url'
  | 'url-query'
  | 'form'
  | 'form-string'
  | 'upload-file'
  | 'output'
  | 'proxy'
  | 'proxy-user'
  | 'cert'
  | 'key'
  | 'cacert'
  | 'insecure'

interface Option {
  readonly means: Meaning
  readonly takesValue: boolean
}

const valued = (means: Meaning): Option => ({ means, takesValue: true })
const flag = (means: Meaning): Option => ({ means, takesValue: false })

const optionByName: Readonly<Record<string, Option>> = {
  request: valued('request'),
  header: valued('header'),
  data: valued('data'),
  'data-ascii': valued('data'),
  'data-binary': valued('data-binary'),
  'data-raw': valued('data-raw'),
  'data-urlencode': valued('data-urlencode'),
  json: valued('json'),
  user: valued('user'),
  'oauth2-bearer': valued('oauth2-bearer'),
  'user-agent': valued('user-agent'),
  referer: valued('referer'),
  cookie: valued('cookie'),
  get: flag('get'),
  head: flag('head'),
  'max-time': valued('max-time'),
  url: valued('url'),
  'url-query': valued('url-query'),
  form: valued('form'),
  'form-string': valued('form-string'),
  'upload-file': valued('upload-file'),
  output: valued('output'),
  proxy: valued('proxy'),
  'proxy-user': valued('proxy-user'),
  cert: valued('cert'),
  key: valued('key'),
  cacert: valued('cacert'),
  insecure: flag('insecure'),
  // What is followed, packed, shown and written where is not the request's.
  ...Object.fromEntries(
    [
      ...['location', 'compressed', 'silent', 'show-error', 'verbose', 'include', 'fail', 'fail-with-body'],
      ...[
        'globoff',
        'no-buffer',
        'progress-bar',
        'http1.1',
        'http2',
        'no-progress-meter',
        'basic',
        'path-as-is',
      ],
    ].map((name) => [name, flag('silent')]),
  ),
  ...Object.fromEntries(
    ['write-out', 'stderr', 'trace', 'trace-ascii', 'connect-timeout', 'keepalive-time'].map((name) => [
      name,
      valued('silent'),
    ]),
  ),
  ...Object.fromEntries(
    [
      'capath',
      ...[
        'cert-type',
        'key-type',
        'pass',
        'cookie-jar',
        'config',
        'range',
        'resolve',
        'connect-to',
        'interface',
      ],
      ...['retry', 'retry-delay', 'retry-max-time', 'aws-sigv4', 'unix-socket', 'max-redirs', 'limit-rate'],
      ...['dump-header', 'noproxy', 'socks5', 'socks5-hostname', 'ciphers', 'tls-max', 'variable'],
      ...['netrc-file', 'request-target', 'time-cond', 'preproxy', 'pinnedpubkey', 'proto', 'proto-redir'],
    ].map((name) => [name, valued('left')]),
  ),
}

const nameByLetter: Readonly<Record<string, string>> = {
  X: 'request',
  H: 'header',
  d: 'data',
  u: 'user',
  A: 'user-agent',
  e: 'referer',
  b: 'cookie',
  G: 'get',
  I: 'head',
  m: 'max-time',
  L: 'location',
  s: 'silent',
  S: 'show-error',
  v: 'verbose',
  i: 'include',
  f: 'fail',
  g: 'globoff',
  N: 'no-buffer',
  '#': 'progress-bar',
  w: 'write-out',
  F: 'form',
  T: 'upload-file',
  o: 'output',
  x: 'proxy',
  U: 'proxy-user',
  E: 'cert',
  k: 'insecure',
  c: 'cookie-jar',
  K: 'config',
  r: 'range',
  D: 'dump-header',
  z: 'time-cond',
}

export interface CurlOptions {
  /** In the order in which they stand. */
  readonly options: readonly { readonly name: OptionName; readonly value: string }[]
  readonly addresses: readonly string[]
  /** As they were written, without their values: those may be secret. */
  readonly left: readonly string[]
}

/** Reads the words after `curl`. */
export function curlOptions(words: readonly string[]): CurlOptions {
  const options: { name: OptionName; value: string }[] = []
  const addresses: string[] = []
  const left: string[] = []
  const take = (option: Option, shown: string, value: string): void => {
    if (option.means === 'left') left.push(shown)
    else if (option.means !== 'silent') options.push({ name: option.means, value })
  }
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    if (!word.startsWith('-') || word === '-') {
      addresses.push(word)
      continue
    }
    const next = (): string => {
      index += 1
      return words[index] ?? ''
    }
    if (word.startsWith('--')) {
      const option = optionOf(word.slice(2))
      take(option, word, option.takesValue ? next() : '')
      continue
    }
    // Letters stand together, and the value of the last may, too: `-sXPOST`.
    for (let at = 1; at < word.length; at += 1) {
      const letter = word[at] ?? ''
      const option = optionOf(nameByLetter[letter] ?? letter)
      const glued = word.slice(at + 1)
      take(option, `-${letter}`, option.takesValue ? glued || next() : '')
      if (option.takesValue) break
    }
  }
  return { options, addresses, left }
}

/** What nobody knows takes no value, as most of curl's own. */
const optionOf = (name: string): Option =>
  Object.hasOwn(optionByName, name) ? (optionByName[name] ?? flag('left')) : flag('left')
