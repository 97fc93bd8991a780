"""Programs under supervision: started, held to limits, ended with all they started; a Prolog that answers questions."""
