/**
 * Colours for scripts: words, texts, numbers and comments, by a table per language. What goes beyond that (what a name
 * refers to, whether it is right) is told by the interpreter; for that little, a grammar of each would be a lot to load.
 */

import type { StreamParser } from '@codemirror/language'
import { indentUnit, StreamLanguage } from '@codemirror/language'
import type { Extension } from '@codemirror/state'

interface Words {
  /** What begins a comment that ends with its line. */
  readonly comment: RegExp
  readonly keywords: ReadonlySet<string>
  /** Names of values: true, nothing. */
  readonly values: ReadonlySet<string>
  /** Quotes of texts that may go over several lines, longest first. */
  readonly longQuotes: readonly string[]
  /** Quotes of texts that end with their line at the latest. */
  readonly quotes: readonly string[]
  /** A name that stands for what somebody gave it. */
  readonly variable: RegExp | null
  readonly ignoresCase?: boolean
  /** By how much lines after a colon go in; languages without that keep the indent of the line before. */
  readonly indent?: string
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const table: Readonly<Record<string, Words>> = {
  python: {
    comment: /^#/,
    keywords: words(
      'and as assert async await break case class continue def del elif else except finally for from global if ' +
        'import in is lambda match nonlocal not or pass raise return try while with yield',
    ),
    values: words('True False None self'),
    longQuotes: ['"""', "'''"],
    quotes: ['"', "'"],
    variable: null,
    indent: '    ',
  },
  shell: {
    comment: /^#/,
    keywords: words(
      'if then elif else fi for while until do done case esac in function return exit local export readonly set ' +
        'unset trap shift break continue',
    ),
    values: words('true false'),
    longQuotes: ['"', "'"],
    quotes: ['`'],
    variable: /^\$(\w+|\{[^}]*\}|[@*#?$!-])/,
  },
  ruby: {
    comment: /^#/,
    keywords: words(
      'alias and begin break case class def do else elsif end ensure for if in module next not or redo require ' +
        'rescue retry return super then undef unless until when while yield',
    ),
    values: words('true false nil self'),
    longQuotes: ['"', "'"],
    quotes: ['`'],
    variable: /^[@$:]\w+/,
  },
  perl: {
    comment: /^#/,
    keywords: words(
      'and die do else elsif eval for foreach if last local my next no not or our package print redo require ' +
        'return sub unless until use while',
    ),
    values: words('undef'),
    longQuotes: ['"', "'"],
    quotes: ['`'],
    variable: /^[$@%]\w+/,
  },
  php: {
    comment: /^(#|\/\/)/,
    keywords: words(
      'abstract as break case catch class const continue declare default do echo else elseif extends final ' +
        'finally fn for foreach function if implements interface match namespace new private protected public ' +
        'require return static switch throw try use while yield',
    ),
    values: words('true false null'),
    longQuotes: ['"', "'"],
    quotes: ['`'],
    variable: /^\$\w+/,
  },
  r: {
    comment: /^#/,
    keywords: words('break else for function if in library next repeat require return while'),
    values: words('TRUE FALSE NULL NA NaN Inf'),
    longQuotes: ['"', "'"],
    quotes: ['`'],
    variable: null,
  },
  powershell: {
    comment: /^#/,
    keywords: words(
      'begin break catch class continue do else elseif end exit filter finally for foreach function if in param ' +
        'process return switch throw trap try until using while',
    ),
    values: words('$true $false $null'),
    longQuotes: ['"', "'"],
    quotes: [],
    variable: /^\$\w+/,
    ignoresCase: true,
  },
  lua: {
    comment: /^--/,
    keywords: words(
      'and break do else elseif end for function goto if in local not or repeat return then until while',
    ),
    values: words('true false nil KEYS ARGV'),
    longQuotes: [],
    quotes: ['"', "'"],
    variable: null,
  },
}

/** What of a text is still open where a line ends, and how far in that line began. */
export interface Open {
  closing: string | null
  indent: number
  opensBlock: boolean
}

/** Whether there is a table for the language. */
export const isScript = (language: string): boolean => Object.hasOwn(table, language)

/** The extension that colours a language of the table; nothing for another one. */
export function scriptLanguage(language: string): Extension {
  const own = table[language]
  if (own === undefined) return []
  const extension = StreamLanguage.define(scriptParser(own))
  return own.indent === undefined ? extension : [extension, indentUnit.of(own.indent)]
}

type Stream = Parameters<StreamParser<Open>['token']>[0]

function scriptParser(own: Words): StreamParser<Open> {
  return {
    startState: () => ({ closing: null, indent: 0, opensBlock: false }),
    copyState: (open) => ({ ...open }),
    token: (stream, open) => {
      if (stream.sol() && open.closing === null) {
        open.indent = stream.indentation()
        open.opensBlock = false
      }
      const style = styleOf(stream, open, own)
      if (style !== null || /\S/.test(stream.current())) open.opensBlock = stream.current() === ':'
      return style
    },
    ...(own.indent === undefined
      ? {}
      : {
          indent: (open, _after, { unit }) =>
            open.closing === null ? open.indent + (open.opensBlock ? unit : 0) : null,
        }),
  }
}

function styleOf(stream: Stream, open: Open, own: Words): string | null {
  if (open.closing !== null) return restOfText(stream, open)
  if (stream.eatSpace()) return null
  if (stream.match(own.comment)) {
    stream.skipToEnd()
    return 'comment'
  }
  for (const quote of [...own.longQuotes, ...own.quotes]) {
    if (!stream.match(quote)) continue
    open.closing = quote
    const style = restOfText(stream, open)
    if (!own.longQuotes.includes(quote)) open.closing = null
    return style
  }
  if (own.variable !== null && stream.match(own.variable)) {
    return own.values.has(stream.current().toLowerCase()) ? 'atom' : 'propertyName'
  }
  if (stream.match(/^(0[xob][\da-f_]+|\d[\d_]*(\.\d+)?(e[+-]?\d+)?)/i)) return 'number'
  if (stream.match(/^[A-Za-z_]\w*/)) return wordStyle(stream, own)
  stream.next()
  return null
}

/** Up to the quote that ends it, or to the end of the line. */
function restOfText(stream: Stream, open: Open): string {
  while (open.closing !== null && !stream.eol()) {
    if (stream.match(open.closing)) open.closing = null
    else if (stream.next() === '\\') stream.next()
  }
  return 'string'
}

function wordStyle(stream: Stream, own: Words): string | null {
  const word = own.ignoresCase === true ? stream.current().toLowerCase() : stream.current()
  if (own.keywords.has(word)) return 'keyword'
  if (own.values.has(word)) return 'atom'
  return stream.peek() === '(' ? 'variableName.function' : null
}
