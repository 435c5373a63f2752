// SPDX-License-Identifier: MIT

package corpus

// The words of the English corpora, each list in about the order of frequency.
var (
	nouns = newList(`
		time year way day thing man world life hand part place case week work point house water room night
		story word side kind head group problem fact book eye job friend hour game line end law car city
		name team minute idea body back parent face level office door health person art war history party
		result change morning reason research girl moment air teacher force school state family student
		country question money month lot right study business issue service area letter window river road
		market paper table winter summer garden bridge village harbour kitchen machine engine computer
		screen library museum station train ship captain doctor farmer driver neighbour council report
		meeting decision budget tax price shop baker bread coffee tea dinner plate glass bottle knife
		forest mountain valley island field stone tree leaf bird horse dog cat sheep fish wind rain snow
		storm cloud light shadow colour sound music song voice picture map plan design drawing wall roof
		floor corner square street path gate fence tower church clock bell candle fire smoke ash metal
		iron copper silver gold wood wool cotton coat hat shoe pocket bag box key lock ladder rope hammer
		nail wheel pump pipe valve wire lamp battery signal message answer rule list page chapter sentence
		number measure error cause effect method theory proof sample test pattern shape edge surface
		distance speed weight heat pressure current source memory copy version file folder field archive
		journey visit holiday guest host crowd audience speech promise secret silence habit mistake effort
		danger damage repair harvest apple pear onion potato pepper salt sugar butter cheese soup recipe`)

	transitive = newList(`
		had saw made took found gave knew left kept told asked called needed wanted used showed heard held
		brought wrote lost paid met read built sent followed changed watched opened closed carried bought
		sold painted repaired moved broke cut drew drove chose caught taught planned counted measured
		described explained discussed accepted refused received returned replaced removed covered filled
		crossed reached entered avoided noticed remembered forgot expected feared loved hated admired
		copied printed tested checked finished started stopped ignored examined compared collected
		designed ordered offered borrowed shared divided defended supported rejected announced mentioned
		recorded published corrected translated studied lifted pushed pulled locked cleaned washed cooked
		planted gathered wrapped hid guarded delayed improved reduced doubled`)

	intransitive = newList(`
		went came stayed waited stood sat lived worked looked spoke fell rose grew slept travelled arrived
		returned laughed smiled listened agreed argued disappeared happened continued ended began failed
		succeeded improved changed ran walked danced sang hesitated nodded shouted whispered wept rested
		hurried wandered vanished collapsed recovered`)

	adjectives = newList(`
		good new old great small large long young little important different early late high low right bad
		same able next public early common free clear hard easy strong short open cold warm dark quiet
		simple whole full empty single local poor rich heavy light deep wide narrow slow quick bright dry
		wet clean dirty soft sharp sweet bitter fresh ripe broken certain strange familiar foreign modern
		ancient recent final annual daily careful careless patient angry calm proud honest clever famous
		serious curious gentle rough smooth steep flat round hollow distant nearby wooden golden grey
		green red blue yellow brown white black pale loud silent hungry thirsty tired busy lazy nervous
		cheerful lonely useful useless rare usual complete separate thin thick`)

	adverbs = newList(`
		then also again often always never soon later perhaps already almost slowly quickly carefully
		quietly together suddenly finally usually rarely sometimes recently certainly probably clearly
		simply hardly nearly gladly calmly badly loudly gently early late everywhere elsewhere twice
		instead otherwise meanwhile nevertheless therefore however indeed`)

	prepositions = newList(`
		in of to on at for with from by about into after before under over through between near behind
		across along around against without during above below beside beyond towards`)

	determiners = newList(`
		the a the his the her their this that our the my one another some each every no`)

	conjunctions = newList(`and but because while when although so before after since until where unless if`)

	subjects = newList(`he she they it we I you nobody everybody somebody`)
	objects  = newList(`him her them it us me you nobody everybody somebody`)

	firstNames = newList(`
		Anna Peter Maria John Clara Thomas Helen Martin Julia Simon Laura David Emma Paul Alice George Ruth
		Oscar Nora Felix Agnes Hugo Irene Victor Edith Walter Sylvia Leon Martha Rufus Doris Conrad Hilda
		Edgar Mabel Otto Flora Gilbert Winifred Basil`)

	surnames = newList(`
		Baker Miller Carter Fisher Weaver Cooper Turner Mason Porter Potter Hunter Archer Fletcher Thatcher
		Wheeler Sawyer Tanner Barber Chandler Glover Hooper Brewer Farmer Shepherd Gardener Forester Ferry
		Brook Hill Field Marsh Woods Ridge Lane Bridges Fields Rivers Stone Winter Summers`)

	places = newList(`
		Ashford Millbrook Westhaven Oakridge Stonebridge Fairhill Riverton Eastmarsh Holmwood Greenvale
		Northgate Kingsport Saltwick Thornbury Larkfield Copperhill Redwater Highmoor Longbridge Whitecliff`)

	months = newList(`March May June January September April October July November February August December`)

	units = []string{"km", "kg", "miles", "litres", "hours", "years", "percent", "metres", "pounds", "pages"}

	titles = []string{"Mr.", "Mrs.", "Dr.", "Prof.", "St.", "Ms.", "Capt."}
)
