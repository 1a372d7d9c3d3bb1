import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasExpression, parseTemplate, templateExpressions } from '../../../src-engine/model/template.ts'

const sources = (text: string): readonly string[] => templateExpressions(text).map((part) => part.source)

describe('parseTemplate', () => {
  test('a text without braces is text', () => {
    expect(parseTemplate('a {b} }}')).toEqual({ ok: true, value: { kind: 'text', text: 'a {b} }}' } })
  })

  test('exactly one pair of braces is a whole value, with its position', () => {
    expect(parseTemplate('{{ input.total }}')).toEqual({
      ok: true,
      value: {
        kind: 'value',
        expression: { kind: 'expression', source: 'input.total', position: 3, start: 0, end: 17 },
      },
    })
  })

  test('anything around the braces makes it a text with parts', () => {
    const template = parseTemplate('Hello {{name}}!')
    expect(template).toEqual({
      ok: true,
      value: {
        kind: 'mixed',
        parts: [
          { kind: 'text', text: 'Hello ' },
          { kind: 'expression', source: 'name', position: 8, start: 6, end: 14 },
          { kind: 'text', text: '!' },
        ],
      },
    })
  })

  test.for([
    ['an object', '{{ {"a": {"b": 1}} }}', '{"a": {"b": 1}}'],
    ['an object right before the end', '{{{"a":{"b":1}}}}', '{"a":{"b":1}}'],
    ['braces in a string', '{{ "}}" & x }}', '"}}" & x'],
    ['an escaped quote', '{{ "\\"}}" }}', '"\\"}}"'],
    ['single quotes', "{{ '}}' }}", "'}}'"],
    ['a quoted name', '{{ `}}` }}', '`}}`'],
    ['a comment', '{{ /* }} */ 1 }}', '/* }} */ 1'],
    ['a pattern', '{{ $match(x, /}}"/i) }}', '$match(x, /}}"/i)'],
    ['a pattern with a count', '{{ $match(x, /a{2}/) }}', '$match(x, /a{2}/)'],
    ['a division', '{{ a / b }} and {{ c / d }}', 'a / b'],
    ['a division after a bracket', '{{ (a)/2 }}', '(a)/2'],
    ['literal braces', '{{ "{{" }}', '"{{"'],
  ])('%s does not end the expression early', ([, text, source]) => {
    expect(sources(text ?? '')[0]).toBe(source)
  })

  test.for([
    ['braces that never close', 'a {{ b', 2],
    ['a string that never closes', '{{ "b }}', 0],
    ['a comment that never closes', '{{ /* }}', 0],
    ['the second pair', '{{ a }} {{ b', 8],
  ] as const)('%s are reported with their place', ([, text, position]) => {
    const template = parseTemplate(text)
    expect(template).toMatchObject({ ok: false, error: { code: 'template_unterminated', position } })
  })

  test('empty braces are reported', () => {
    expect(parseTemplate('{{  }}')).toMatchObject({
      ok: false,
      error: { code: 'template_empty', position: 0 },
    })
  })

  test('parts put together again are the text', () => {
    const piece = fc.oneof(
      fc.string().filter((text) => !text.includes('{') && !text.includes('}')),
      fc.constantFrom('{{ a.b }}', '{{{"x":"}}"}}}', "{{ 'q' & `n` }}", '{{1/2}}', '{', '}'),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join(' ')
        const template = parseTemplate(text)
        if (!template.ok || template.value.kind !== 'mixed') return
        const joined = template.value.parts.map((part) =>
          part.kind === 'text' ? part.text : text.slice(part.start, part.end),
        )
        expect(joined.join('')).toBe(text)
        for (const part of template.value.parts) {
          if (part.kind !== 'expression') continue
          expect(text.slice(part.position, part.position + part.source.length)).toBe(part.source)
        }
      }),
    )
  })

  test('any text is answered, and a text is never lost', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', '"', '/', '*', 'a', ' ', '`', '\\') }),
        (text) => {
          const template = parseTemplate(text)
          if (!hasExpression(text)) expect(template).toEqual({ ok: true, value: { kind: 'text', text } })
          else expect(template.ok ? template.value.kind : template.error.code).not.toBe('text')
        },
      ),
    )
  })

  test('a hostile text takes linear time', () => {
    const text = '{{ "'.repeat(250_000)
    expect(parseTemplate(text).ok).toBe(false)
    expect(sources('{{ a }}'.repeat(100_000))).toHaveLength(100_000)
  })
})
