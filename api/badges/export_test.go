package badges

// For tests.
var (
	AllCriteria = allCriteria
	CriteriaOf  = criteriaOf
	AwardSQL    = awardSQL
)
