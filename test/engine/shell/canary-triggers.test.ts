/** Each field of a trigger that names a secret has a canary: a new one is here by itself, and wants its trigger. */

import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { triggerSpecsByKind } from '../../../src-engine/triggers/specs.ts'
import { isNamedAt, secretNamePlaces } from '../../support/secret-places.ts'
import { canaryTriggers } from './canary-triggers.ts'

test.for(
  [...triggerSpecsByKind].flatMap(([kind, spec]) =>
    secretNamePlaces(spec).map((place) => [kind, `${place.member}: ${place.path.join('.')}`, place] as const),
  ),
)('a trigger of the kind %s opens a canary by %s [I33]', ([kind, , place]) => {
  const alike = Object.values(canaryTriggers).filter((trigger) => trigger['kind'] === kind)
  expect(alike.some(({ parameters }) => isNamedAt(parameters as JsonObject, place))).toBe(true)
})
