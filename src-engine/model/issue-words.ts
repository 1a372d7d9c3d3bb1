/** Issues of a zod schema in the words of the product: what a field needs, not what a parser expected. */

import type { z } from 'zod'

/** What a zod issue tells, in the fields all of its kinds share. */
export type SchemaIssue = z.core.$ZodIssue

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'yes or no',
  array: 'a list',
  object: 'a group of fields',
  record: 'a group of named values',
  null: 'empty',
}

/** Whether the issue is about a field that isn't there at all. */
export function isMissing(issue: SchemaIssue): boolean {
  return (
    issue.code === 'invalid_type' && issue.input === undefined && issue.message.endsWith('received undefined')
  )
}

/** A clause for `"Address" …`: `must be a number`. */
export function issueClause(issue: SchemaIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue) ? 'is missing' : `must be ${typeNames[issue.expected] ?? `a ${issue.expected}`}`
    case 'too_small':
      return smallClause(issue)
    case 'too_big':
      return bigClause(issue)
    case 'invalid_value':
      return `must be ${listed(issue.values.map((value) => JSON.stringify(String(value))))}`
    case 'invalid_format':
      return formatClause(issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `has no field ${listed(issue.keys.map((key) => JSON.stringify(key)))}`
    case 'invalid_union':
      return unionClause(issue)
    case 'invalid_key':
      return issue.issues[0] === undefined
        ? 'has a name that is not allowed'
        : notRight(issue.issues[0].message)
    default:
      return notRight(issue.message)
  }
}

/** What a kind's own rule says, as the end of a sentence: rules are written as clauses and as sentences. */
function notRight(message: string): string {
  const clause = message.replace(/\.$/, '')
  // “JSON”, “S3” and quoted names stay as they are.
  const isWord = /^[A-Z](?:[a-z]+|(?= ))/.test(clause)
  return `is not right: ${isWord ? clause.charAt(0).toLowerCase() + clause.slice(1) : clause}`
}

function smallClause(issue: Extract<SchemaIssue, { code: 'too_small' }>): string {
  const limit = String(issue.minimum)
  if (issue.origin === 'string')
    return limit === '1' ? 'must not be empty' : `must have at least ${limit} characters`
  if (issue.origin === 'array')
    return limit === '1' ? 'needs at least one entry' : `needs at least ${limit} entries`
  return issue.inclusive === false ? `must be more than ${limit}` : `must be at least ${limit}`
}

function bigClause(issue: Extract<SchemaIssue, { code: 'too_big' }>): string {
  const limit = String(issue.maximum)
  if (issue.origin === 'string') return `must have at most ${limit} characters`
  if (issue.origin === 'array') return `may have at most ${limit} entries`
  return issue.inclusive === false ? `must be less than ${limit}` : `must be at most ${limit}`
}

function formatClause(issue: Extract<SchemaIssue, { code: 'invalid_format' }>): string {
  // A pattern's own message says more than the pattern does.
  if (issue.format === 'regex')
    return issue.message.startsWith('Invalid') ? 'does not have the expected form' : notRight(issue.message)
  return `must be a valid ${issue.format}`
}

function unionClause(issue: Extract<SchemaIssue, { code: 'invalid_union' }>): string {
  const first = issue.errors.find((errors) => errors.length > 0)?.[0]
  return first === undefined || first.path.length > 0
    ? 'does not have one of the expected forms'
    : issueClause(first)
}

function listed(items: readonly string[]): string {
  const shown = items.slice(0, 8)
  if (shown.length < items.length) return `one of ${shown.join(', ')}, …`
  if (shown.length <= 1) return shown.join('')
  return `${shown.slice(0, -1).join(', ')} or ${shown.at(-1) ?? ''}`
}
