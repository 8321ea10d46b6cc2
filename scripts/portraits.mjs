// Draws the demo members' portraits: DiceBear's style "Open Peeps" (CC0, by
// Pablo Stanley) on plain backgrounds, 800×1000. After changing a look in
// api/seed/cast.json run npm ci in scripts and `node scripts/portraits.mjs`, and
// commit the result.
//
// For each portrait there is a full picture, a thumbnail and, in
// portraits.json, the blurred placeholder, as the server makes them of uploads.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Avatar, Style } from '@dicebear/core'
import sharp from 'sharp'

const definition = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('@dicebear/styles/open-peeps.json'))))
if (definition.meta.license.name !== 'CC0 1.0') throw new Error(`Open Peeps is not CC0 any more: ${definition.meta.license.name}`)
const style = new Style(definition)

const seed = new URL('../api/seed/', import.meta.url)
const cast = JSON.parse(readFileSync(new URL('cast.json', seed)))
const demo = { name: 'Demo', look: ['medium1', 'smile', 1, 3, 'glasses3'] }
const admin = { name: 'Admin', look: ['bangs', 'calm', 3, 2] }

const skins = ['#ffdbb4', '#edb98a', '#d08b5b', '#ae5d29', '#694d3d']
const clothes = ['#5b2a4e', '#3a7557', '#c4452d', '#e9a13b', '#5f7a94']
// A background never has the colour of the clothes in front of it.
const backgrounds = [
  ['#f3e3d3', '#ead2bb'], ['#dfe8df', '#cbdacb'], ['#f2ddd5', '#e6c7bb'], ['#e5deea', '#d3c8dc'], ['#dbe5ea', '#c5d5dd'], ['#f4e8c9', '#e8d7a8'],
]
const hair = ['#2c1b18', '#4a312c', '#724133', '#a55728', '#b58143', '#d6b370']

function draw({ name, look: [head, expression, skin, cloth, glasses, beard] }, index, zoom) {
  const [ground, shape] = backgrounds[(index * 5 + cloth + (zoom > 1 ? 3 : 0)) % backgrounds.length]
  const gray = head.startsWith('gray')
  const peep = new Avatar(style, {
    seed: name,
    headVariant: head, expressionVariant: expression,
    accessoriesVariant: glasses || 'glasses', accessoriesProbability: glasses ? 100 : 0,
    facialHairVariant: beard || 'chin', facialHairProbability: beard ? 100 : 0, maskProbability: 0,
    skinColor: skins[skin], clothingColor: clothes[cloth], inkColor: '#2a1a22',
    headContrastColor: gray ? '#d9d2cf' : hair[(index + skin) % hair.length],
  }).toString()
  const inner = peep.slice(peep.indexOf('>') + 1, peep.lastIndexOf('</svg>'))
  const [, , width, height] = peep.match(/viewBox="([^"]+)"/)[1].split(' ').map(Number)
  const side = 800 * zoom
  const left = (800 - side) / 2
  const circle = `<circle cx="${index % 2 ? 540 : 260}" cy="420" r="${330 + (index % 3) * 40}" fill="${shape}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" width="800" height="1000">
    <rect width="800" height="1000" fill="${ground}"/>${circle}
    <svg x="${left}" y="${1000 - side}" width="${side}" height="${side}" viewBox="0 0 ${width} ${height}" fill="none">${inner}</svg></svg>`
}

const folder = new URL('portraits/', seed)
for (const file of readdirSync(folder)) if (file.endsWith('.webp')) rmSync(new URL(file, folder))
const portraits = []
let bytes = 0

async function save(name, svg) {
  const picture = sharp(Buffer.from(svg)).flatten({ background: '#fff' })
  const write = async (file, image) => {
    const data = await image.toBuffer()
    writeFileSync(new URL(file, folder), data)
    bytes += data.length
  }
  await write(`${name}.full.webp`, picture.clone().webp({ quality: 42, effort: 6, preset: 'drawing' }))
  await write(`${name}.thumb.webp`, picture.clone().resize({ width: 384 }).webp({ quality: 45, preset: 'drawing', effort: 6 }))
  const blurred = await picture.clone().resize({ width: 16 }).webp({ quality: 40, effort: 6 }).toBuffer()
  portraits.push({ name, placeholder: `data:image/webp;base64,${blurred.toString('base64')}` })
}

const twoDigits = (n) => String(n).padStart(2, '0')
for (const [i, member] of cast.entries()) {
  await save(twoDigits(i + 1), draw(member, i, 1.02))
  // Some have a second picture: closer, with another background and expression.
  if (i % 8 === 0) await save(`${twoDigits(i + 1)}b`, draw({ ...member, look: member.look.with(1, member.look[1] === 'calm' ? 'smile' : 'calm') }, i + 1, 1.3))
}
await save('demo', draw(demo, 60, 1.02))
await save('admin', draw(admin, 61, 1.02))
const lines = portraits.map((p) => JSON.stringify(p))
writeFileSync(new URL('portraits.json', folder), `[\n${lines.join(',\n')}\n]\n`)
console.log(`${portraits.length} portraits, ${Math.round(bytes / 1024)} kB`)
