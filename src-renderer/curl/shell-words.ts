/** The words of a command line as a POSIX shell would read them, without what only a shell could fill in. Pure. */

export interface ShellWords {
  readonly words: readonly string[]
  /** Variables and commands whose values are not known here; they stand in the words as they were written. */
  readonly unknown: readonly string[]
  /** What stands after the command: a pipe, a redirection, the next command. Empty for nothing. */
  readonly rest: string
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\u001b',
}
/** Where a command ends. */
const ends = ['|', ';', '&', '<', '>', '\n']

/** Reads the first command of a text; null when a quote in it is never closed. */
export function shellWords(text: string): ShellWords | null {
  const reader = new Reader(text)
  return reader.read() ? reader.result() : null
}

class Reader {
  readonly #text: string
  readonly #words: string[] = []
  readonly #unknown = new Set<string>()
  #at = 0
  #word: string | null = null

  constructor(text: string) {
    // A line that goes on in the next one is one line.
    this.#text = text.replaceAll(/\\\r?\n/g, ' ').trim()
  }

  result(): ShellWords {
    return { words: this.#words, unknown: [...this.#unknown], rest: this.#text.slice(this.#at).trim() }
  }

  /** False for a quote without its end. */
  read(): boolean {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const char = this.#char()
      if (ends.includes(char)) break
      if (/\s/.test(char)) this.#endWord()
      else if (!this.#readPart(char)) return false
    }
    this.#endWord()
    return true
  }

  #readPart(char: string): boolean {
    if (char === "'") return this.#readQuoted()
    if (char === '"') return this.#readDoubleQuoted()
    if (char === '$' && this.#char(1) === "'") {
      this.#at += 1
      return this.#readAnsi()
    }
    if (char === '\\') {
      this.#at += 1
      this.#add(this.#char())
    } else {
      this.#noteUnknown(char)
      this.#add(char)
    }
    return true
  }

  #readQuoted(): boolean {
    const end = this.#text.indexOf("'", this.#at + 1)
    if (end === -1) return false
    this.#add(this.#text.slice(this.#at + 1, end))
    this.#at = end
    return true
  }

  #readDoubleQuoted(): boolean {
    this.#add('')
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const char = this.#char()
      if (char === '"') return true
      if (char === '\\' && /["\\$`]/.test(this.#char(1))) {
        this.#at += 1
        this.#add(this.#char())
      } else {
        this.#noteUnknown(char)
        this.#add(char)
      }
    }
    return false
  }

  /** `$'…'`, in which browsers write what holds an apostrophe. */
  #readAnsi(): boolean {
    this.#add('')
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const char = this.#char()
      if (char === "'") return true
      if (char !== '\\') this.#add(char)
      else this.#readEscape()
    }
    return false
  }

  #readEscape(): void {
    const coded = /^\\(?:u([0-9a-fA-F]{1,4})|x([0-9a-fA-F]{1,2})|([0-7]{1,3}))/.exec(
      this.#text.slice(this.#at, this.#at + 6),
    )
    if (coded !== null) {
      const [all, unicode, hex, octal] = coded
      this.#add(
        String.fromCharCode(
          octal === undefined ? Number.parseInt(unicode ?? hex ?? '0', 16) : Number.parseInt(octal, 8),
        ),
      )
      this.#at += all.length - 1
      return
    }
    this.#at += 1
    const char = this.#char()
    this.#add(escapes[char] ?? char)
  }

  #noteUnknown(char: string): void {
    if (char !== '$' && char !== '`') return
    const found = /^(?:\$\{?[A-Za-z_][A-Za-z0-9_]*\}?|\$\([^)]*\)|`[^`]*`)/.exec(this.#text.slice(this.#at))
    if (found !== null) this.#unknown.add(found[0])
  }

  #char(ahead = 0): string {
    return this.#text[this.#at + ahead] ?? ''
  }

  #add(text: string): void {
    this.#word = (this.#word ?? '') + text
  }

  #endWord(): void {
    if (this.#word !== null) this.#words.push(this.#word)
    this.#word = null
  }
}
