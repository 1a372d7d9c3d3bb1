/** What a secret can be: refused with words before anything is written. */

import { SagasmithError } from '../../model/errors.ts'
import { secretBytesMax } from '../../model/limits.ts'
import { utf8Bytes } from '../../model/payload.ts'
import type { SecretChange } from '../../model/secret.ts'
import { secretCharsMin, secretHostPattern, secretNamePattern } from '../../model/secret.ts'

/** Throws `bad_request` for a name that no expression could say. */
export function checkName(name: string): void {
  if (secretNamePattern.test(name)) return
  throw new SagasmithError('bad_request', {
    message: `“${name.slice(0, 80)}” is no name of a secret.`,
    hint: 'Use up to 64 letters, digits and underscores, not beginning with a digit: GITHUB_TOKEN.',
    details: { field: 'name' },
  })
}

/** Throws `bad_request` for the first thing that is wrong. The value itself is never part of the message. */
export function checkChange({ name, value, hosts }: SecretChange): void {
  checkName(name)
  if (value !== undefined) checkValue(name, value)
  const wrong = hosts?.find((host) => !secretHostPattern.test(host.trim()))
  if (wrong === undefined) return
  throw new SagasmithError('bad_request', {
    message: `“${wrong}” is no host.`,
    hint: 'Write api.example.com, api.example.com:8443, or *.example.com for everything below it.',
    details: { field: 'hosts' },
  })
}

function checkValue(name: string, value: string): void {
  if (value.length < secretCharsMin) {
    throw new SagasmithError('bad_request', {
      message: `The value of “${name}” is shorter than ${secretCharsMin} characters.`,
      hint: 'So short a value can’t be kept out of logs; ask its issuer for a longer one.',
      details: { field: 'value' },
    })
  }
  if (utf8Bytes(value) <= secretBytesMax) return
  throw new SagasmithError('bad_request', {
    message: `The value of “${name}” is larger than ${secretBytesMax / 1024} KB.`,
    hint: 'A vault is for keys and passwords; encrypt larger things with a key from here.',
    details: { field: 'value' },
  })
}
